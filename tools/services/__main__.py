"""`install` what is missing, or `run -- COMMAND` with real services around it.

The command finds in its environment: DRAPEAU_TEST_POSTGRES_URL, DRAPEAU_TEST_REDIS_URL,
DOCKER_HOST, DRAPEAU_RUN_DIR and DRAPEAU_TEST_CHROMIUM. The services listen on unix sockets and the
loopback only, belong to this run, and end with it.
"""

import argparse
import contextlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from arena.embedded.supervise import GaveUp, Supervisor
from tools.services.compose import compose_command
from tools.services.engine import dockerd, engine
from tools.services.environment import environment_of_tests
from tools.services.packages import CHROMIUM, FOR_TESTS, Missing, install, path_of
from tools.services.stores import remove, start_postgres, start_redis

_END_S = 5.0
EXAMPLES = str(Path(__file__).resolve().parents[2] / "examples")


@contextmanager
def _scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="drapeau-services-"))
    folder.chmod(0o711)  # a server under another user passes through to its own folder
    try:
        yield folder
    finally:
        remove(folder)


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """Start everything, give the variables that name it, and end everything."""
    _install_all()
    chromium = path_of(CHROMIUM)
    with _scratch() as folder, Supervisor(f"services {folder}") as supervisor:
        variables = {
            "DRAPEAU_TEST_CHROMIUM": str(chromium),
            "DRAPEAU_RUN_DIR": str(folder / "run"),
            "DRAPEAU_TEST_POSTGRES_URL": start_postgres(supervisor, folder / "postgres"),
            "DRAPEAU_TEST_REDIS_URL": start_redis(supervisor, folder / "redis"),
        }
        with engine(folder / "docker") as host:
            if host:
                variables["DOCKER_HOST"] = host
            # Stacks have the games of Drapeau only, all other tests one more (`tests/settings.py`),
            # which is in the image of Python bots.
            for step, further in (
                (["build-base"], ""),
                (["build-image", "--all"], ""),
                (["build-image", "python"], EXAMPLES),
            ):
                print(f"services: sandbox {' '.join(step)}", flush=True)
                done = subprocess.run(
                    [sys.executable, "-m", "sandbox", *step],
                    check=False,
                    env={**environment_of_tests(), **variables, "DRAPEAU_VARIANTS": further},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                if done.returncode != 0:
                    raise Missing(f"`python -m sandbox {' '.join(step)}` failed:\n{done.stdout}")
            yield variables


def _install_all() -> None:
    """Install every program that the tests need; raise Missing where that is not possible."""
    install(FOR_TESTS)
    compose_command()
    dockerd()


def run(command: Sequence[str]) -> int:
    """Run the command with the services running, and return its status."""
    started = time.monotonic()
    with services() as variables:
        print(f"services: ready in {time.monotonic() - started:.0f} s", flush=True)
        with subprocess.Popen(command, env={**environment_of_tests(), **variables}) as process:
            try:
                return process.wait()
            except KeyboardInterrupt:
                # A terminal sends Ctrl-C to both; only a signal to us alone has to be passed on.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.wait(_END_S)
                process.terminate()
                process.wait()
                raise


def _on_sigterm(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.services", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("install", help="install what is missing (Debian, as root)")
    runner = actions.add_parser("run", help="run a command with the services running")
    runner.add_argument("command", nargs="+")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, _on_sigterm)
    try:
        if given.action == "install":
            _install_all()
            return 0
        return run(given.command)
    except Missing as problem:
        sys.exit(f"services: {problem}")
    except GaveUp as problem:
        sys.exit(f"services: {problem}\n{problem.program.tail()}")
    except KeyboardInterrupt:
        print("services: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
