"""The addresses of the API that name rows: `api.txt`, with words in each place."""

import re
from itertools import product
from pathlib import Path

from arena.models import (
    Game,
    Ladder,
    Match,
    Tournament,
    TournamentRound,
    Version,
    VersionTrial,
)
from engine.registry import variants

BOTS = (
    "owner/alpha",
    "owner/crashy",
    "owner/paused",
    "other/beta",
    "other/delta",
    "other/empty",
    "other/compiled",
    "ann/siege-ann",
    "nobody/none",
)
VERSUS = (
    "owner/alpha/vs/other/beta",
    "other/beta/vs/owner/alpha",
    "owner/alpha/vs/ann/star-ann",
    "owner/siege-owner/vs/other/siege-other",
    "owner/alpha/vs/owner/alpha",
    "owner/alpha/vs/nobody/none",
)
STAGES = ("open", "freeze", "start", "pause", "resume", "release", "cancel", "rehearse")


def words():
    """Return what may stand in each place, from the rows that there are."""
    games = _games()
    cups = list(Tournament.objects.order_by("pk").values_list("slug", flat=True))
    rounds = TournamentRound.objects.order_by("tournament", "number")
    numbers = rounds.values_list("tournament__slug", "number")
    return {
        "ladder": [*Ladder.objects.order_by("slug").values_list("slug", flat=True), "nowhere"],
        "season": ["classic/seasons/1", "classic/seasons/9"],
        "bot": BOTS,
        "version": _versions(),
        "versus": VERSUS,
        "trial": [*VersionTrial.objects.order_by("pk").values_list("public_id", flat=True), "none"],
        "challenge": list(
            Match.objects.filter(kind="challenge")
            .order_by("pk")
            .values_list("public_id", flat=True)
        ),
        "match": [*_matches(), "m_none"],
        "cup_match": _cup_matches(),
        "game": [f"{match}/{number}" for match, number in games],
        "cup": [*cups, "cup-none"],
        "round": [*(f"{slug}/rounds/{number}" for slug, number in numbers), "cup-open/rounds/1"],
        "stage": STAGES,
        "variant": [*variants(), "chess"],
    }


def api():
    """Return the lines of `api.txt` as addresses, each once for every choice of words."""
    choices, found = words(), []
    for line in Path(__file__).with_name("api.txt").read_text(encoding="utf-8").split():
        places = re.findall(r"{(\w+)}", line)
        form = "/api/v1/" + re.sub(r"{\w+}", "{}", line)
        found += [form.format(*chosen) for chosen in product(*(choices[each] for each in places))]
    return found


def _versions():
    """Return every version of the first bot, and the first one of others."""
    rows = Version.objects.select_related("bot__owner").order_by("pk")
    chosen = [row for row in rows if row.number == 1 or row.bot.slug == "alpha"]
    named = (*BOTS, "ann/new-ann", "ben/new-ben", "cleo/new-cleo", "dan/new-dan")
    return [
        *(f"{row.bot}/versions/{row.number}" for row in chosen if str(row.bot) in named),
        "owner/alpha/versions/99",
    ]


def _matches():
    """Return the first match of every ladder, kind, status and way to count."""
    rows = Match.objects.exclude(kind="tournament").order_by("pk")
    kinds: dict[tuple[object, ...], str] = {}
    for row in rows.select_related("ladder"):
        kind = (row.ladder.slug, row.kind, row.status, row.annulment_id, row.rerun_of_id is None)
        kinds.setdefault(kind, row.public_id)
    return list(kinds.values())


def _cup_matches():
    """Return the first match of every tournament, status and release."""
    kinds: dict[tuple[object, ...], str] = {}
    for row in Match.objects.filter(kind="tournament").select_related("pairing__round"):
        assert row.pairing
        kind = (row.pairing.round.tournament_id, row.status, row.release)
        kinds.setdefault(kind, row.public_id)
    return list(kinds.values())


def _games():
    """Return games with a real record: the first of every ladder, kind and termination."""
    rows = Game.objects.exclude(termination="").order_by("pk").select_related("match__ladder")
    kinds: dict[tuple[object, ...], tuple[str, int]] = {}
    for row in rows:
        match = row.match
        if match.ladder.slug != "classic":
            kind = (match.ladder.slug, match.kind, row.termination)
            kinds.setdefault(kind, (match.public_id, row.number))
    classic = rows.filter(match__ladder__slug="classic").first()
    unplayed = Game.objects.filter(termination="").order_by("pk").first()
    some = [(row.match.public_id, row.number) for row in (classic, unplayed) if row]
    return [*kinds.values(), *some, (some[0][0], 9)]
