"""How long it takes until both bots of a match in Docker are ready.

Ours: a table, its containers from the pool. Theirs: two `docker run` side by side, with the same
limits, of the same image and bot; or, with `--runtime`, the same table under `runc`, with as many
containers waiting (`--warm`), and ours under that OCI runtime.
Prints `{"ours": [ms, …], "theirs": […]}`, one for every round.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen

from botkit import languages
from engine.protocol import Ask, Failure
from sandbox import limits
from sandbox.host.seating import BOT_FOLDER, SCRATCH_FOLDER
from sandbox.images.recipe import runtime_image
from sandbox.launcher import docker_engine
from sandbox.launcher.embedded import Embedded
from sandbox.launcher.oci_runtime import SETTING
from sandbox.levels.isolation import Isolation, by_engine
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack

BOT = b"""import sys
for line in sys.stdin:
    print('{"type":"ready"}', flush=True)
"""
SEATS = ("red", "blue")
START = b'{"type":"start"}\n'
POOL_WAIT_S = 30
LOOK_S = 0.03
PAUSE_S = 1  # for containers that run to call back, and for the engine to come to rest


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, help="taken and not needed: a start is a start")
    parser.add_argument("--runtime", default="", help="the OCI runtime of our containers")
    parser.add_argument("--warm", type=int, choices=(0, len(SEATS)), default=len(SEATS))
    given = parser.parse_args()
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name, ExitStack() as cleanup:
        folder = Path(name).resolve()
        start = starter(cleanup, folder / "run", given.runtime, given.warm)
        start_theirs: Callable[[], float] = partial(docker_run_ms, folder)
        if given.runtime:
            start_theirs = starter(cleanup, folder / "theirs", "runc", given.warm)
        for _ in range(given.rounds):
            ours.append(start())
            theirs.append(start_theirs())
    print(json.dumps({"ours": ours, "theirs": theirs}))


def starter(cleanup: ExitStack, run_dir: Path, oci_runtime: str, warm: int) -> Callable[[], float]:
    """Return what seats two bots, when as many containers wait as are to, and gives the time."""
    if oci_runtime:
        os.environ[SETTING] = oci_runtime
    isolation = by_engine()
    launcher = Embedded(run_dir, warm=warm, oci_runtime=isolation.oci_runtime)
    cleanup.callback(launcher.close)
    isolation = replace(isolation, launcher=launcher)

    def start() -> float:
        took_ms = table_ms(isolation, run_dir)
        wait_for_pool(run_dir, warm)  # also so that the other side is alone
        return took_ms

    start()  # the first start of a runtime fills the pool
    return start


def table_ms(isolation: Isolation, run_dir: Path) -> float:
    """Seat two bots and wait until both are ready."""
    seats = dict.fromkeys(SEATS, unpack(BOT, "bot.py"))
    began_s = time.perf_counter()
    with open_table(
        isolation=isolation, seats=seats, work_dir=run_dir, admission=Admission(trust_all=True)
    ) as table:
        answers = table.ask(dict.fromkeys(SEATS, Ask(START, 10_000.0, starting=True)))
        took_ms = (time.perf_counter() - began_s) * 1000
    failed = [answer.detail for answer in answers.values() if isinstance(answer, Failure)]
    if failed:
        sys.exit(failed[0])
    return took_ms


def wait_for_pool(run_dir: Path, warm: int) -> None:
    """Wait until as many containers wait as are to, and no other is left."""
    until_s = time.monotonic() + POOL_WAIT_S
    labels = {"label": [f"arena.run={run_dir}"]}
    with docker_engine.connected() as engine:
        while len(engine.containers(all=True, filters=labels)) != warm:
            if time.monotonic() > until_s:
                sys.exit(f"the pool was not full after {POOL_WAIT_S} s")
            time.sleep(LOOK_S)
    time.sleep(PAUSE_S)


def docker_run_ms(folder: Path) -> float:
    """Start two containers side by side with the command line of Docker, as tightly locked."""
    bot = folder / "bot"
    bot.mkdir(exist_ok=True)
    bot.chmod(0o755)
    (bot / "bot.py").write_bytes(BOT)
    began_s = time.perf_counter()
    with ExitStack() as cleanup:
        running = []
        for number, _ in enumerate(SEATS):
            command = docker_run(bot, limits.FIRST_UID + limits.SLOTS + number)
            child = cleanup.enter_context(Popen(command, stdin=PIPE, stdout=PIPE, bufsize=0))
            if child.stdin is None or child.stdout is None:
                raise RuntimeError("no pipes")
            child.stdin.write(START)
            running.append((child.stdin, child.stdout))
        said = [stdout.readline() for _, stdout in running]
        took_ms = (time.perf_counter() - began_s) * 1000
        for stdin, _ in running:
            stdin.close()
    if not all(said):
        sys.exit("docker run did not run the bot")
    return took_ms


def docker_run(bot: Path, uid: int) -> Sequence[str]:
    """Return the command for one of them."""
    language = languages.DEFAULT
    resources = limits.RESOURCES["bot"]
    scratch = f"size={resources.scratch_bytes},nr_inodes={resources.scratch_inodes},mode=1777"
    locked = (
        *("--network", "none", "--ipc", "none", "--read-only", "--log-driver", "none"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", f"{uid}:{uid}"),
        *("--pids-limit", str(limits.TASKS), "--oom-score-adj", "1000"),
        *("--memory", str(resources.memory_bytes), "--memory-swap", str(resources.memory_bytes)),
        *("--cpus", str(limits.CORES), "--cpu-shares", str(limits.CPU_SHARES)),
        *("--tmpfs", f"{SCRATCH_FOLDER}:rw,noexec,nosuid,nodev,{scratch}"),
        *(
            f"--ulimit={ulimit.name}={ulimit.value}:{ulimit.value}"
            for ulimit in resources.ulimits()
        ),
        *("--volume", f"{bot}:{BOT_FOLDER}:ro", "--workdir", BOT_FOLDER),
    )
    image = runtime_image(language.runtime)
    run = languages.run_command(language, f"{BOT_FOLDER}/bot.py")
    return ("docker", "run", "--rm", "--interactive", *locked, image, *run)


if __name__ == "__main__":
    main()
