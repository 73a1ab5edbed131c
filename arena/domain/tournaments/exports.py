"""A tournament as tables and as one document, limited to the rounds that a viewer may see.

`rounds` is the number of visible rounds from the first on, as `visibility.rounds_seen` returns it.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from arena.domain.formats import scoring
from arena.domain.formats.types import PairingState, Score, StandingsRow
from arena.domain.tournaments import presence, snapshot
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament, TournamentEntrant

Cells = Sequence[object]
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes these for a formula


def table(*, tournament: Tournament, rounds: int, what: str) -> str:
    """Return one of TABLES as comma-separated values with a header. Raise KeyError.

    Texts that a spreadsheet would take for a formula begin with an apostrophe.
    """
    make = TABLES[what]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    for cells in make(snapshot.load(tournament=tournament, rounds=rounds)):
        writer.writerow([_safe(cell) for cell in cells])
    return out.getvalue()


def document(*, tournament: Tournament, rounds: int) -> dict[str, Any]:
    """Return the tournament as data for JSON: terms, entrants, standings, rounds and pairings."""
    picture = snapshot.load(tournament=tournament, rounds=rounds)
    return {
        "tournament": _terms(picture),
        "rounds_shown": len(picture.rounds),
        "entrants": [_entrant(picture, each) for each in _in_order(picture)],
        "standings": [_line(picture, row) for row in _standings(picture)],
        "rounds": [
            {
                "number": each.number,
                "is_finished": each.finished_at is not None,
                "pairings": [
                    _pairing(picture, meeting)
                    for meeting in picture.state.meetings
                    if meeting.round == each.number
                ],
            }
            for each in picture.rounds
        ],
    }


def _safe(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(FORMULA_BEGINS):
        return f"'{cell}"
    return _plain(cell)


def _plain(cell: object) -> object:
    """Return a whole number as an int, and any other value as it is."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _is_frozen(picture: TournamentSnapshot) -> bool:
    return picture.tournament.frozen_at is not None


def _standings(picture: TournamentSnapshot) -> Sequence[StandingsRow]:
    """Return the standings, or nothing before the freeze."""
    return picture.standings if _is_frozen(picture) else ()


def _in_order(picture: TournamentSnapshot) -> list[TournamentEntrant]:
    order = {entry.id: entry.seed for entry in picture.state.entries}
    return sorted(picture.entrants.values(), key=lambda each: (order.get(each.pk, 0), each.pk))


def _bot(picture: TournamentSnapshot, entrant: int) -> str:
    return str(picture.entrants[entrant].bot)


def _standings_table(picture: TournamentSnapshot) -> Iterable[Cells]:
    slugs = picture.setup.tie_breaks
    counts = ("points", "games", "wins", "draws", "losses", "forfeits", "byes")
    columns = [f"tie_break:{slug}" for slug in slugs]  # "wins" is a count too
    yield ("rank", "bot", "name", *counts, *columns, "decided_by", "stage", "group")
    for row in _standings(picture):
        bot = picture.entrants[row.entrant].bot
        values = [getattr(row, name) for name in counts]
        tie_breaks = list(row.tie_breaks[: len(slugs)])
        ends = (row.decided_by, row.stage, row.group or "")
        yield (row.rank, str(bot), bot.name, *values, *tie_breaks, *ends)


def _crosstable(picture: TournamentSnapshot) -> Iterable[Cells]:
    """Yield the points of each entrant against each other entrant, by rank.

    A cell is empty if the two have not met.
    """
    rows = _standings(picture)
    worth = _worth(picture)
    yield ("rank", "bot", "points", *(row.rank for row in rows))
    for row in rows:
        cells = [worth.get((row.entrant, other.entrant), "") for other in rows]
        yield (row.rank, _bot(picture, row.entrant), row.points, *cells)


def _worth(picture: TournamentSnapshot) -> dict[tuple[int, int], float]:
    found: dict[tuple[int, int], float] = {}
    for meeting in picture.state.meetings:
        for entrant in meeting.entrants:
            score = meeting.score_of(entrant)
            if score is None:
                continue
            for other in meeting.entrants:
                if other != entrant:
                    points = scoring.points(picture.setup.scoring, score)
                    found[entrant, other] = found.get((entrant, other), 0.0) + points
    return found


def _pairings_table(picture: TournamentSnapshot) -> Iterable[Cells]:
    size = picture.setup.size
    places = range(1, size + 1)
    who = [f"{name}_{place}" for place in places for name in ("bot", "wins", "draws", "losses")]
    yield ("round", "pairing", "slot", "decision", "matches", *who)
    for meeting in picture.state.meetings:
        cells: list[object] = []
        for entrant in meeting.entrants:
            score = meeting.score_of(entrant)
            games = (score.wins, score.draws, score.losses) if score else ("", "", "")
            cells += [_bot(picture, entrant), *games]
        cells += [""] * (4 * (size - len(meeting.entrants)))
        ids = " ".join(_match_ids(picture, meeting))
        decision = str(meeting.decision)
        yield (meeting.round, meeting.number, meeting.slot, decision, ids, *cells)


def _entrants_table(picture: TournamentSnapshot) -> Iterable[Cells]:
    yield ("seed", "bot", "name", "version", "digest", "status", "from_round", "until_round")
    for entrant in _in_order(picture):
        told = _entrant(picture, entrant)
        yield (
            told["seed"],
            told["bot"],
            told["name"],
            "" if told["version"] is None else told["version"],
            told["digest"],
            told["status"],
            "" if told["from_round"] is None else told["from_round"],
            "" if told["until_round"] is None else told["until_round"],
        )


def _match_ids(picture: TournamentSnapshot, meeting: PairingState) -> list[str]:
    pairing = picture.pairings[meeting.round, meeting.number]
    return [match.public_id for match in picture.matches.get(pairing.pk, [])]


def _terms(picture: TournamentSnapshot) -> dict[str, Any]:
    tournament = picture.tournament
    times = ("opens_at", "freezes_at", "starts_at")
    moments = ("frozen_at", "started_at", "completed_at", "released_at")
    worth = picture.setup.scoring
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "description": tournament.description,
        "status": tournament.status,
        "ladder": tournament.ladder.slug,
        "variant": tournament.ladder.variant,
        "entrants_per_match": tournament.ladder.entrants_per_match,
        "format": tournament.format,
        "format_options": dict(picture.setup.options),
        "scoring": {
            "name": tournament.scoring,
            "win": worth.win,
            "draw": worth.draw,
            "loss": worth.loss,
            "forfeit": worth.forfeit,
        },
        "tie_breaks": list(picture.setup.tie_breaks),
        "matches_per_pairing": tournament.matches_per_pairing,
        "rng_seed": tournament.rng_seed if _is_frozen(picture) else None,
        **{name: _told_time(getattr(tournament, name)) for name in (*times, *moments)},
    }


def _told_time(at: Any) -> str | None:  # noqa: ANN401 - a time or None
    return None if at is None else str(at.isoformat())


def _entrant(picture: TournamentSnapshot, entrant: TournamentEntrant) -> dict[str, Any]:
    """Return an entrant as data for JSON. The version is secret until the freeze.

    The viewer learns a late entry or a withdrawal only if the rounds up to it are visible.
    """
    version = entrant.version if _is_frozen(picture) else None
    shown = len(picture.rounds)
    seeds = {entry.id: entry.seed for entry in picture.state.entries}
    return {
        "seed": seeds.get(entrant.pk),
        "bot": str(entrant.bot),
        "name": entrant.bot.name,
        "version": version.number if version else None,
        "digest": entrant.digest,
        "status": entrant.status,
        "from_round": presence.from_round(entrant, rounds=shown),
        "until_round": presence.until_round(entrant, rounds=shown),
    }


def _line(picture: TournamentSnapshot, row: StandingsRow) -> dict[str, Any]:
    slugs = picture.setup.tie_breaks
    return {
        "rank": row.rank,
        "bot": _bot(picture, row.entrant),
        "points": row.points,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "forfeits": row.forfeits,
        "byes": row.byes,
        "tie_breaks": dict(zip(slugs, row.tie_breaks, strict=False)),
        "decided_by": row.decided_by,
        "stage": row.stage,
        "group": row.group or None,
    }


def _pairing(picture: TournamentSnapshot, meeting: PairingState) -> dict[str, Any]:
    return {
        "id": picture.pairings[meeting.round, meeting.number].public_id,
        "number": meeting.number,
        "slot": meeting.slot,
        "decision": str(meeting.decision),
        "is_over": meeting.is_over,
        "entrants": [
            {"bot": _bot(picture, entrant), **_games(meeting.score_of(entrant))}
            for entrant in meeting.entrants
        ],
        "matches": _match_ids(picture, meeting),
    }


def _games(score: Score | None) -> dict[str, int | None]:
    names = ("wins", "draws", "losses", "forfeits")
    return {name: getattr(score, name) if score else None for name in names}


TABLES: Mapping[str, Callable[[TournamentSnapshot], Iterable[Cells]]] = {
    "standings": _standings_table,
    "crosstable": _crosstable,
    "pairings": _pairings_table,
    "entrants": _entrants_table,
}
