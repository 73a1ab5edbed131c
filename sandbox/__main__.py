"""`python -m sandbox`: what this machine can contain, the images of bots, and the launcher.

Every command loads what it needs by itself: most of them never load Docker.
"""

import argparse
import logging
import os
import sys
from pathlib import Path

import structlog

from botkit.languages import DEFAULT, RUNTIMES
from engine.protocol import PlatformFault
from sandbox.images.recipe import DEFAULT_BASE
from sandbox.launcher import oci_runtime
from sandbox.levels.isolation import SETTINGS, Isolation, by_engine, choose, launcher_of
from sandbox.refusal import IsolationUnavailable


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Return 0 if everything is in order."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except (IsolationUnavailable, PlatformFault) as why:
        print(why, file=sys.stderr)
        return 1


def _build_base(given: argparse.Namespace) -> int:
    from sandbox.launcher import image_build  # noqa: PLC0415 - loads Docker

    image_build.build_base(tag=given.tag, cache=given.cache, say=_say)
    return 0


def _build_image(given: argparse.Namespace) -> int:
    from sandbox.launcher import image_build  # noqa: PLC0415 - loads Docker

    wanted = RUNTIMES if given.all else given.runtimes or [DEFAULT.runtime]
    image_build.build_runtimes(wanted, base=given.base, say=_say)
    return 0


def _images(_given: argparse.Namespace) -> int:
    with launcher_of(choose("docker"), _run_dir() or Path()) as launcher:
        for runtime, image in launcher.images().items():
            print(runtime, image)
    return 0


def _launcher(given: argparse.Namespace) -> int:
    as_json = os.environ.get("DRAPEAU_LOG_FORMAT") == "json"
    _log(as_json=as_json)
    try:
        return _serve(given.socket, as_json=as_json)
    except (IsolationUnavailable, PlatformFault) as why:
        logging.getLogger(__name__).error("%s", why)  # noqa: TRY400 - a sentence
        return 1


def _serve(socket: Path, *, as_json: bool) -> int:
    from sandbox.launcher import embedded, image_files, server  # noqa: PLC0415 - loads Docker

    run_dir = _run_dir()
    if run_dir is None:
        raise IsolationUnavailable("launcher: DRAPEAU_RUN_DIR has to name a folder")
    isolation = by_engine(unset=oci_runtime.AUTO)
    logging.getLogger(__name__).info("%s", isolation.reason)
    if _examine(isolation, run_dir, as_json=as_json, indent=None, at_start=True):
        return 1
    image_files.read_all(isolation.oci_runtime)
    starter = embedded.Embedded(
        run_dir, warm=embedded.warm_containers(), oci_runtime=isolation.oci_runtime
    )
    server.serve(socket, starter)
    return 0


def _log(*, as_json: bool) -> None:
    """Write log lines for people, or one JSON object per line with the keys that the site uses."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.format_exc_info,
            ],
            processor=structlog.processors.JSONRenderer(),
        )
        if as_json
        else logging.Formatter("%(levelname)s %(name)s %(message)s")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _run_dir() -> Path | None:
    folder = os.environ.get("DRAPEAU_RUN_DIR")
    return Path(folder) if folder else None


def _examine(
    isolation: Isolation,
    run_dir: Path | None,
    *,
    as_json: bool = False,
    indent: int | None = 1,
    at_start: bool = False,
) -> int:
    """Test guarantees of a level, by default all; print the findings; return 1 unless all hold."""
    from sandbox.doctor import examination  # noqa: PLC0415 - loads Docker

    findings = examination.examine(isolation, run_dir, at_start=at_start)
    drawn = (
        examination.as_json(isolation, findings, indent=indent)
        if as_json
        else examination.as_table(isolation, findings)
    )
    print(drawn, flush=True)
    return int(bool(examination.unproven(findings)))


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
    base.add_argument("--tag", default=DEFAULT_BASE)
    base.add_argument(
        "--cache", type=Path, default=Path("var/images"), help="where its tar is kept"
    )
    base.set_defaults(run=_build_base)
    image = commands.add_parser("build-image", help="build the images that bots run in")
    known = ", ".join(RUNTIMES)
    image.add_argument("runtimes", nargs="*", type=_runtime, metavar="RUNTIME", help=f"of {known}")
    image.add_argument("--all", action="store_true", help="every runtime, not only the first")
    image.add_argument("--base", default=DEFAULT_BASE)
    image.set_defaults(run=_build_image)
    ids = commands.add_parser("images", help="list the images that bots run in, by id")
    ids.set_defaults(run=_images)
    look = commands.add_parser("doctor", help="try what this machine contains")
    look.add_argument(
        "--level", default=os.environ.get("DRAPEAU_ISOLATION", "auto"), choices=SETTINGS
    )
    look.add_argument("--json", action="store_true", help="for programs, not for people")
    look.set_defaults(
        run=lambda given: _examine(choose(given.level), _run_dir(), as_json=given.json)
    )
    serve = commands.add_parser("launcher", help="start containers for those who may ask")
    serve.add_argument("--socket", type=Path, required=True, help="where to listen")
    serve.set_defaults(run=_launcher)
    return parser


if __name__ == "__main__":
    sys.exit(main())
