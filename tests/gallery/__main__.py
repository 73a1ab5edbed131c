"""Play a tournament of every format with house bots, and take a picture of how each page ends.

A whole site is started in a folder of its own, as the demo starts it; the strongest isolation that
works here contains the bots. Prints what was played and how long it took.
"""

import argparse
import re
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from rich.console import Console

from arena.embedded import site
from tests.e2e.conftest import ARGS, CHROMIUM
from tests.tree import ROOT
from tools.demo import cups, play
from tools.demo.api import Account, Api
from tools.demo.cups import Cup
from tools.demo.screen import table
from tools.services.stores import remove

ORGANIZER = Account("olga", secrets.token_urlsafe(18))
COPIES = {"classic": 2, "siege": 3}  # of each house bot that plays it, by owners of their own
WIDTHS = {"": 1440, "-375": 375}


@dataclass(frozen=True)
class Kind:
    """A tournament of the gallery: its format, the ladder, how many of its bots enter."""

    name: str
    format: str
    ladder: str
    entrants: int
    options: dict[str, int]
    page: str = ""  # the page that shows it best

    def cup(self, bots: Sequence[str]) -> Cup:
        values: dict[str, Any] = {
            "name": self.name,
            "ladder": self.ladder,
            "format": self.format,
            "format_options": self.options,
            "matches_per_pairing": 1,
            "entry_policy": "listed",
            "min_entrants": self.entrants,
        }
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")
        return Cup(slug, values, bots[: self.entrants])


KINDS = (
    Kind("Round robin", "round_robin", "classic", 5, {}, "crosstable/"),
    Kind("Double round robin", "double_round_robin", "classic", 4, {}, "standings/"),
    Kind("Swiss", "swiss", "classic", 7, {"rounds": 3}),
    Kind("Single elimination", "single_elimination", "classic", 8, {"third_place": 1}, "bracket/"),
    Kind("Double elimination", "double_elimination", "classic", 8, {}, "bracket/"),
    Kind("Gauntlet", "gauntlet", "classic", 5, {}, "standings/"),
    Kind("Groups and play-off", "groups_playoff", "classic", 8, {"groups": 2}, "bracket/"),
    Kind("Round robin of the siege", "round_robin", "siege", 4, {}, "crosstable/"),
    Kind("Swiss of threes", "swiss", "siege-3", 9, {"rounds": 2}, "rounds/"),
    Kind("Elimination of threes", "single_elimination", "siege-3", 9, {}, "bracket/"),
)


def main() -> None:
    given = _arguments()
    console = Console(soft_wrap=True)
    folder = Path(tempfile.mkdtemp(prefix="drapeau-gallery-"))
    folder.chmod(0o711)
    try:
        options = site.SiteOptions(folder, port=0, isolation=given.isolation)
        with site.running(options, console.print) as running:
            stage = play.Stage(running.url, console, running.check)
            kinds = [kind for kind in KINDS if kind.format in (given.only or kind.format)]
            shown = _play(stage, kinds, given.timeout)
            _take_pictures(running.url, shown, given.out)
    finally:
        if given.keep:
            console.print(f"The site's folder is {folder}")
        else:
            remove(folder)


def _play(stage: play.Stage, kinds: Sequence[Kind], timeout_s: int) -> list[tuple[Kind, Cup]]:
    bots = _enter(stage, {_game(kind) for kind in kinds})
    shown = [(kind, kind.cup(bots[_game(kind)])) for kind in kinds]
    rows = []
    for kind, cup in shown:
        began_s = time.monotonic()
        cups.begin(stage, cup, ORGANIZER)
        cups.wait_until_over(stage, [cup], within_s=timeout_s)
        took_s = time.monotonic() - began_s
        rows.append([kind.name, kind.ladder, *_counts(stage, cup), f"{took_s:.0f}"])
    columns = ("tournament", "ladder", "entrants", "rounds", "pairings", "matches", "seconds")
    table(stage.console, "Tournaments of the gallery", columns, rows)
    return shown


def _game(kind: Kind) -> str:
    return kind.ladder.partition("-")[0]


def _enter(stage: play.Stage, games: Collection[str]) -> dict[str, list[str]]:
    """Upload copies of the house bots under names of their own; return owner/bot by game."""
    entered: list[play.Entered] = []
    bots: dict[str, list[str]] = {game: [] for game in games}
    for game, house, account in _uploads(games):
        entered.append(play.enter(stage, house, account))
        bots[game].append(f"{account.username}/{house.slug}")
    play.wait_until_validated(stage, entered)
    return bots


def _uploads(games: Collection[str]) -> Iterator[tuple[str, play.House, Account]]:
    """Yield copies of the house bots, each under a name and of an owner that no other has."""
    houses = [play.House.read(ROOT / "bots" / slug) for slug in play.HOUSE_BOTS]
    copies: Counter[str] = Counter()
    for game, count in COPIES.items():
        for house in (
            []
            if game not in games
            else [house for house in houses if game in house.variants] * count
        ):
            copies[house.slug] += 1
            name = f"{house.slug}-{copies[house.slug]}"
            yield game, replace(house, slug=name), Account(f"dev-{name}", secrets.token_urlsafe(18))


def _counts(stage: play.Stage, cup: Cup) -> list[str]:
    with Api(stage.url) as api:
        rounds = api.get(f"/tournaments/{cup.slug}/rounds")["results"]
    pairings = [pairing for each in rounds for pairing in each["pairings"]]
    matches = sum(len(pairing["matches"]) for pairing in pairings)
    return [str(number) for number in (len(cup.bots), len(rounds), len(pairings), matches)]


def _take_pictures(url: str, shown: Sequence[tuple[Kind, Cup]], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for kind, cup in shown:
            for suffix, width in WIDTHS.items():
                context = browser.new_context(viewport={"width": width, "height": 900})
                page = context.new_page()
                for place in dict.fromkeys(("", kind.page)):
                    page.goto(f"{url}/tournaments/{cup.slug}/{place}")
                    name = f"{cup.slug}{f'-{place[:-1]}' if place else ''}{suffix}.png"
                    page.screenshot(path=out / name, full_page=True)
                context.close()
        browser.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "var" / "gallery", help="for pictures")
    parser.add_argument(
        "--only", choices=sorted({kind.format for kind in KINDS}), help="one format; all without it"
    )
    parser.add_argument("--keep", action="store_true", help="keep the folder of the site")
    parser.add_argument("--timeout", type=int, default=900, metavar="S", help="longest tournament")
    parser.add_argument(
        "--isolation", choices=("auto", "docker", "bubblewrap", "process"), default="auto"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
