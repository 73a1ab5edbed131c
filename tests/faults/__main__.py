"""Play on a real stack while everything under it is killed, and judge what is left.

The status is 0 where every match is over once, every event is there once, a recomputation finds no
difference, nothing is left behind, and the site answered whenever it could. With `--tournament` one
is played instead of ladders: it has to end as the same tournament does undisturbed, which is played
without a site. `--minutes 0` kills nothing and says how long it took. With `--hosts` three hosts
play ladders across network namespaces: one is cut off, one has a wrong clock, one loses its engine.
"""

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import django

from arena.domain.formats.catalogue import FORMATS
from arena.embedded.tcp import listens
from tests.faults import networks
from tests.faults import site as sites
from tests.faults.keeper import Keeper
from tests.faults.site import Site
from tests.sandbox.attack.private_engine import private_engine
from tests.tree import ROOT
from tools.services.stores import remove

if TYPE_CHECKING:
    from tests.faults.chaos import Wish
    from tests.faults.play import Report

STACKS = ("postgres", "sqlite")
STORES_S = 120.0
APP = "tests.faults.hasty"


def main() -> int:
    given = _arguments()
    if given.hosts:
        given.stack = "postgres"
    if given.stack is None:
        runs = [_again(stack, given) for stack in STACKS]
        return max(runs)
    _say(f"{given.stack}, seed {given.seed}, {given.minutes:g} min of killing")
    with _folder(given.keep) as folder, ExitStack() as cleanup:
        report = _play(given, folder, cleanup)
    _print(report)
    return int(bool(report.complaints))


def _play(given: argparse.Namespace, folder: Path, cleanup: ExitStack) -> "Report":
    if given.hosts:
        return _play_on_hosts(given, folder, cleanup)
    engine = cleanup.enter_context(private_engine()) if given.stack == "postgres" else None
    keeper = cleanup.enter_context(Keeper(f"faults {folder}"))
    site = sites.on_postgres(folder, APP, engine.host) if engine else sites.on_sqlite(folder, APP)
    _open_stores(site, keeper)
    # They need the settings of this run.
    from tests.faults.play import Play  # noqa: PLC0415 - see above

    wish = _wish(given)
    if given.tournament is None:
        return Play(site, keeper, engine).run(wish)
    from tests.faults import cups  # noqa: PLC0415 - see above
    from tests.faults.cupplay import CupPlay  # noqa: PLC0415 - see above

    plan = cups.plan(given.tournament).of(entrants=given.entrants, rounds=given.rounds)
    return CupPlay(site, keeper, engine, plan).run(wish)


def _play_on_hosts(given: argparse.Namespace, folder: Path, cleanup: ExitStack) -> "Report":
    engines = [cleanup.enter_context(private_engine()) for _each in range(2)]
    network = cleanup.enter_context(networks.Network(networks.NAMES))
    keeper = cleanup.enter_context(Keeper(f"faults {folder}"))
    site = sites.on_hosts(folder, APP, network.address, networks.hosts(network, *engines))
    _open_stores(site, keeper)
    # It needs the settings of this run.
    from tests.faults.hostplay import HostPlay  # noqa: PLC0415 - see above

    return HostPlay(site, keeper, engines[1], network).run(_wish(given))


def _wish(given: argparse.Namespace) -> "Wish":
    from tests.faults.chaos import Wish  # noqa: PLC0415 - it needs the settings of this run

    times = given.minutes * 60, given.pause, given.rest * 60
    return Wish(given.seed, *times, given.blow, given.times)


def _open_stores(site: Site, keeper: Keeper) -> None:
    for program in site.stores:
        keeper.start(program)
    open_ = keeper.until(
        lambda: all(listens(port) for port in site.ports.values()), within_s=STORES_S
    )
    if not open_:
        raise TimeoutError("the stores do not answer")
    migrate = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(migrate, check=True, cwd=ROOT, env=site.environment)
    os.environ.update(site.environment)
    django.setup()


def _again(stack: str, given: argparse.Namespace) -> int:
    """Play on one stack in a process of its own: settings are read once in a process."""
    command = [sys.executable, "-m", "tests.faults", *sys.argv[1:]]
    return subprocess.run(
        [*command, "--stack", stack, "--seed", str(given.seed)], check=False, cwd=ROOT
    ).returncode


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:  # noqa: FBT001 - an option of the command
    folder = Path(tempfile.mkdtemp(prefix="drapeau-faults-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        if keep:
            _say(f"logs and rows are in {folder}")
        else:
            remove(folder)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _print(report: "Report") -> None:
    _say(report.as_table())
    _say(f"Figures: {report.figures()}")
    for complaint in report.complaints:
        _say(f"NOT AS IT SHOULD BE: {complaint}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--stack", choices=STACKS, help="one of them; both without it")
    parser.add_argument("--tournament", choices=FORMATS, help="play one instead of ladders")
    parser.add_argument("--hosts", action="store_true", help="play on three hosts of runners")
    parser.add_argument("--entrants", type=int, help="of the tournament")
    parser.add_argument("--rounds", type=int, help="of a Swiss tournament")
    parser.add_argument("--minutes", type=float, default=2.0, help="for how long to kill")
    parser.add_argument("--rest", type=float, default=10.0, help="minutes to come to rest, at most")
    parser.add_argument("--pause", type=float, default=4.0, help="seconds between two blows, about")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10_000))
    parser.add_argument(
        "--blow", action="append", default=[], help="strike this one only, or these"
    )
    parser.add_argument("--times", type=int, default=3, help="how often each of these, at least")
    parser.add_argument("--keep", action="store_true", help="keep logs and database")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
