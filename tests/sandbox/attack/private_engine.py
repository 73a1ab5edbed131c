"""A Docker engine of our own, which may be killed: no other test talks to it."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandbox.images.recipe import runtime_image
from tools.services.engine import dockerd
from tools.services.packages import DOCKER, path_of

READY_S = 60
TICKS = os.sysconf("SC_CLK_TCK")


class PrivateEngine:
    """dockerd with a root, a socket and a containerd of its own, and without any network."""

    def __init__(self, folder: Path, options: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self._options = options
        self.host = f"unix://{folder}/docker.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, for the first time or once more. Raise TimeoutError."""
        for stale in ("pid", "exec/containerd/containerd.pid"):  # it believes them, as of a zombie
            (self.folder / stale).unlink(missing_ok=True)
        path, environment = dockerd()
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig", "TERM"),  # tests may be killed
                    *(path, "--host", self.host),
                    *("--data-root", str(self.folder / "data")),
                    *("--exec-root", str(self.folder / "exec")),
                    *("--pidfile", str(self.folder / "pid"), "--bridge", "none"),
                    *("--iptables=false", "--ip6tables=false", "--ip-forward=false"),
                    *self._options,
                ],
                env=environment,
                stdout=log,
                stderr=log,
            )
        until_s = time.monotonic() + READY_S
        while self.docker("version", check=False).returncode != 0:
            if time.monotonic() > until_s:
                raise TimeoutError((self.folder / "log").read_text()[-2000:])
            time.sleep(0.1)

    def kill(self) -> None:
        """End it as a crash would: its containerd goes with it, the containers' shims stay."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        # The next one would take a containerd that is still about to die for its own.
        while self.processes("containerd --config"):
            time.sleep(0.01)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(READY_S)

    def docker(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        command = [str(path_of(DOCKER)), "--host", self.host, *arguments]
        return subprocess.run(command, check=check, capture_output=True)

    def copy_image(self, name: str) -> None:
        """Bring an image over from the engine of all tests."""
        save = subprocess.Popen([str(path_of(DOCKER)), "save", name], stdout=subprocess.PIPE)
        load = [str(path_of(DOCKER)), "--host", self.host, "load"]
        subprocess.run(load, stdin=save.stdout, check=True, capture_output=True)
        if save.stdout is not None:
            save.stdout.close()
        if save.wait() != 0:
            raise RuntimeError(f"{name} could not be saved")

    def cpu_ms(self) -> float:
        """Return the CPU time that the engine has used with all its helpers: not its containers."""
        return sum(_cpu_ms(Path("/proc", pid)) for pid in self.processes())

    def processes(self, word: str = "") -> list[str]:
        """Return the processes whose command line names this engine, and a word."""
        found = []
        for path in Path("/proc").iterdir():
            if path.name.isdigit():
                with suppress(OSError):
                    line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    if str(self.folder) in line and word in line:
                        found.append(path.name)
        return found

    def shims(self) -> list[str]:
        """Return the processes that hold a container each."""
        return self.processes("containerd-shim")

    def mounts(self) -> list[str]:
        lines = Path("/proc/self/mounts").read_text().splitlines()
        return [place for line in lines if (place := line.split()[1]).startswith(f"{self.folder}/")]


def _cpu_ms(process: Path) -> float:
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * 1000 / TICKS


@contextmanager
def private_engine(*options: str) -> Iterator[PrivateEngine]:
    """Yield a running engine that has the image of Python bots. Everything of it is removed.

    `options` are more arguments of dockerd.
    """
    with tempfile.TemporaryDirectory(prefix="attacked-", ignore_cleanup_errors=True) as folder:
        engine = PrivateEngine(Path(folder), options)
        engine.start()
        try:
            engine.copy_image(runtime_image("python"))
            yield engine
        finally:
            engine.stop()
            for process in engine.processes():  # the shims of an engine that never came back
                os.kill(int(process), signal.SIGKILL)
            for place in reversed(engine.mounts()):
                subprocess.run(["umount", place], check=False)
