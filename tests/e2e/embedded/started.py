"""A site of one folder that was started by its command, with what it prints in files."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from arena.embedded.interrupts import ENDING
from arena.embedded.supervise import end_leftovers
from tests.tree import ROOT

ENOUGH_S = 300
IN_CHECKOUT = (sys.executable, "-m", "arena")


class Started:
    """A command with a folder for its data, and what it prints in files."""

    def __init__(self, folder, *command, cwd=ROOT, **variables):
        self.data_dir = folder / "site"
        self.out, self.err = folder / "out", folder / "err"
        # As at a terminal: a test run in the background may itself have been told to ignore Ctrl-C,
        # and what is ignored stays so in a child.
        before = {each: signal.signal(each, signal.SIG_DFL) for each in ENDING}
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with self.out.open("w") as out, self.err.open("w") as err:
            self.process = subprocess.Popen(
                (*command, "up", "--data", self.data_dir, "--port", "0", "--isolation", "process"),
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment() | variables,
                start_new_session=True,
            )
        for each, handler in before.items():
            signal.signal(each, handler)

    @property
    def mark(self):
        return f"site {self.data_dir}"

    def wait_for(self, file, wanted):
        deadline = time.monotonic() + ENOUGH_S
        while wanted not in file.read_text():
            assert self.process.poll() is None, self.err.read_text()
            assert time.monotonic() < deadline, self.err.read_text()
            time.sleep(0.05)

    def interrupt(self):
        """Press Ctrl-C. Return the exit status, and how many processes are left."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(ENOUGH_S), end_leftovers(self.mark)

    def end(self):
        """End it and all that it left."""
        self.process.kill()
        self.process.wait()
        end_leftovers(self.mark)


def environment():
    """Return our variables without the settings of another site, but with its games."""
    foreign = ("DRAPEAU_", "DATABASE_URL", "DJANGO_", "PYTHONPATH")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    games = {"DRAPEAU_VARIANTS": os.environ["DRAPEAU_VARIANTS"]}
    return kept | games | {"SOURCE_DATE_EPOCH": "1790000000"}


def processes_of(folder: Path) -> list[str]:
    """Return the command lines of all processes that know the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
            is_of_it = str(folder).encode() in words + (process / "environ").read_bytes()
        except OSError:  # gone meanwhile, or somebody else's
            continue
        if is_of_it:
            found.append(words.replace(b"\0", b" ").decode())
    return found
