"""A tournament of the demo: made by an organizer through the API, played by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.demo.api import Account, Api
from tools.demo.play import ANSWER_S, Stage
from tools.demo.refusal import DemoFailed
from tools.demo.screen import Bars, table

OVER = ("completed", "released", "cancelled")
WORTH = {"scoring": "championship", "matches_per_pairing": 1, "entry_policy": "listed"}


@dataclass(frozen=True)
class Cup:
    """A tournament: its address, what its organizer says of it, and the bots, as owner/bot."""

    slug: str
    values: Mapping[str, Any]
    bots: Sequence[str]


def round_robin(ladder: str, bots: Sequence[str]) -> Cup:
    """Return a tournament in which all bots of a ladder meet."""
    values = {"name": f"House cup, {ladder}", "ladder": ladder, "format": "round_robin", **WORTH}
    return Cup(f"house-cup-{ladder}", values, bots)


def begin(stage: Stage, cup: Cup, organizer: Account) -> None:
    """Have the organizer draft it, enter the bots and start it, unless the site has it already."""
    stage.until(
        lambda: _begin(stage, cup, organizer), within_s=ANSWER_S, what=f"starting {cup.slug}"
    )


def _begin(stage: Stage, cup: Cup, organizer: Account) -> bool:
    with Api(stage.url) as api:
        api.sign_up(organizer)
        api.sign_in(organizer)
        row = api.tournament(cup.slug)
        if row is None:
            bounds = {"min_entrants": 2, "max_entrants": max(2, len(cup.bots))}
            row = api.post("/tournaments", {"slug": cup.slug, **bounds, **cup.values})
        if row["status"] == "draft":
            row = api.post(f"/tournaments/{cup.slug}/open", {})
        if row["status"] == "registration":
            text = "\n".join(["bot", *cup.bots])
            api.post(f"/tournaments/{cup.slug}/take-list", {"text": text})
            row = api.post(f"/tournaments/{cup.slug}/freeze", {})
        if row["status"] == "frozen":
            api.post(f"/tournaments/{cup.slug}/start", {})
        api.sign_out()
    return True


def wait_until_over(stage: Stage, cups: Sequence[Cup], *, within_s: float) -> None:
    """Show how many pairings are over until all tournaments are. Raise DemoFailed."""
    with Api(stage.url) as api, Bars(stage.console, "Tournaments, pairings drawn so far") as bars:

        def ask() -> bool:
            rows = {cup.slug: api.get(f"/tournaments/{cup.slug}") for cup in cups}
            counts = {}
            for slug in rows:
                rounds = api.get(f"/tournaments/{slug}/rounds")["results"]
                pairings = [pairing for row in rounds for pairing in row["pairings"]]
                counts[slug] = sum(pairing["is_over"] for pairing in pairings), len(pairings)
            bars.update(counts, {slug: row["status"] for slug, row in rows.items()})
            for slug, row in rows.items():
                if row["status"] in ("paused", "cancelled"):
                    raise DemoFailed(f"{slug} is {row['status']}: {row['status_reason']}")
            return all(row["status"] in OVER for row in rows.values())

        stage.until(ask, within_s=within_s, what="playing the tournaments")


def show_standings(stage: Stage, cup: Cup) -> None:
    """Print the final standings as a table."""

    def ask() -> list[dict[str, Any]]:
        with Api(stage.url) as api:
            rows: list[dict[str, Any]] = api.get(f"/tournaments/{cup.slug}/standings")["results"]
            return rows

    rows = stage.until(ask, within_s=ANSWER_S, what="reading the standings")
    columns = ("#", "bot", "points", "won", "drawn", "lost", "before the next by")
    lines = [
        [
            str(row["rank"]),
            row["bot"],
            f"{row['points']:g}",
            *(str(row[key]) for key in ("wins", "draws", "losses")),
            row["decided_by"],
        ]
        for row in rows
    ]
    table(stage.console, f"Tournament: {cup.values['name']}", columns, lines)
