"""`python -m sandbox`: look at what this machine can contain, and build the images bots run in."""

import argparse
import os
import sys
from pathlib import Path

from engine.protocol import PlatformFault
from sandbox import doctor
from sandbox.images import build
from sandbox.images.recipe import runtime_image
from sandbox.isolation import SETTINGS, choose
from sandbox.languages import DEFAULT, RUNTIMES
from sandbox.refusal import IsolationUnavailable


def main(arguments: list[str] | None = None) -> int:
    """Run one command. The status is 0 when all is as it should be."""
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except (IsolationUnavailable, PlatformFault) as why:
        print(why, file=sys.stderr)
        return 1


def _run(given: argparse.Namespace) -> int:
    if given.command == "build-base":
        build.build_base(tag=given.tag, cache=given.cache, say=_say)
    elif given.command == "build-image":
        for runtime in RUNTIMES if given.all else given.runtimes or [DEFAULT.runtime]:
            build.build_runtime(
                runtime=runtime, tag=runtime_image(runtime), base=given.base, say=_say
            )
    else:
        return _doctor(given.level)
    return 0


def _doctor(level: str) -> int:
    isolation = choose(level)
    folder = os.environ.get("DRAPEAU_RUN_DIR")
    findings = doctor.examine(isolation, Path(folder) if folder else None)
    print(doctor.as_table(isolation, findings))
    return int(any(each.promised and not each.held for each in findings))


def _say(line: str) -> None:
    print(line, flush=True)


def _runtime(name: str) -> str:
    if name not in RUNTIMES:
        raise argparse.ArgumentTypeError(f"no runtime {name!r}; there are {', '.join(RUNTIMES)}")
    return name


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    base = commands.add_parser("build-base", help="get or make the base image")
    base.add_argument("--tag", default=build.DEFAULT_BASE)
    base.add_argument(
        "--cache", type=Path, default=Path("var/images"), help="where its tar is kept"
    )
    image = commands.add_parser("build-image", help="build the images that bots run in")
    known = ", ".join(RUNTIMES)
    image.add_argument("runtimes", nargs="*", type=_runtime, metavar="RUNTIME", help=f"of {known}")
    image.add_argument("--all", action="store_true", help="every runtime, not only the first")
    image.add_argument("--base", default=build.DEFAULT_BASE)
    look = commands.add_parser("doctor", help="try what this machine contains")
    look.add_argument(
        "--level", default=os.environ.get("DRAPEAU_ISOLATION", "auto"), choices=SETTINGS
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
