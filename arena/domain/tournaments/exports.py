"""A tournament as tables and as one document, limited to the rounds that a viewer may see.

`rounds` is the number of visible rounds from the first on, as `visibility.rounds_seen` returns it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from arena.domain import spreadsheets
from arena.domain.formats.types import PairingState, StandingsRow
from arena.domain.tournaments import crosstables, participation, snapshot
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament

Cells = Iterable[object]
COUNTS = ("points", "games", "wins", "draws", "losses", "forfeits", "byes")  # of a standings row


def table(*, tournament: Tournament, rounds: int, what: str) -> str:
    """Return one of TABLES as comma-separated values with a header. Raise KeyError."""
    make = TABLES[what]
    return spreadsheets.text(make(snapshot.load(tournament=tournament, rounds=rounds)))


def document(*, tournament: Tournament, rounds: int) -> dict[str, Any]:
    """Return the tournament as data for JSON: terms, entrants, standings, rounds and pairings."""
    picture = snapshot.load(tournament=tournament, rounds=rounds)
    shown = picture.tournament
    planned = ("opens_at", "freezes_at", "starts_at")
    happened = ("frozen_at", "started_at", "completed_at", "released_at")
    times = {name: getattr(shown, name) for name in (*planned, *happened)}
    worth = picture.setup.scoring
    return {
        "tournament": {
            "slug": shown.slug,
            "name": shown.name,
            "description": shown.description,
            "status": shown.status,
            "ladder": shown.ladder.slug,
            "variant": shown.ladder.variant,
            "entrants_per_match": shown.ladder.entrants_per_match,
            "format": shown.format,
            "format_options": dict(picture.setup.options),
            "scoring": {
                "name": shown.scoring,
                "win": worth.win,
                "draw": worth.draw,
                "loss": worth.loss,
                "forfeit": worth.forfeit,
            },
            "tie_breaks": list(picture.setup.tie_breaks),
            "matches_per_pairing": shown.matches_per_pairing,
            "commitment": shown.commitment,
            "secret": shown.shown_secret,
            **{name: at.isoformat() if at else None for name, at in times.items()},
        },
        "rounds_shown": len(picture.rounds),
        "entrants": _entrants(picture),
        "standings": [_line(picture, row) for row in _standings(picture)],
        "rounds": [
            {
                "number": row.number,
                "is_finished": row.finished_at is not None,
                "pairings": [
                    _pairing(picture, meeting)
                    for meeting in picture.state.meetings
                    if meeting.round == row.number
                ],
            }
            for row in picture.rounds
        ],
    }


def _is_frozen(picture: TournamentSnapshot) -> bool:
    return picture.tournament.frozen_at is not None


def _standings(picture: TournamentSnapshot) -> Sequence[StandingsRow]:
    """Return the standings, or nothing before the freeze."""
    return picture.standings if _is_frozen(picture) else ()


def _bot(picture: TournamentSnapshot, entrant: int) -> str:
    return str(picture.entrants[entrant].bot)


def _standings_table(picture: TournamentSnapshot) -> Iterable[Cells]:
    slugs = picture.setup.tie_breaks
    columns = [f"tie_break:{slug}" for slug in slugs]  # "wins" is a count too
    yield ("rank", "bot", "name", *COUNTS, *columns, "decided_by", "stage", "group")
    for row in _standings(picture):
        bot = picture.entrants[row.entrant].bot
        values = [getattr(row, name) for name in COUNTS]
        tie_breaks = list(row.tie_breaks[: len(slugs)])
        ends = (row.decided_by, row.stage, row.group or "")
        yield (row.rank, str(bot), bot.name, *values, *tie_breaks, *ends)


def _crosstable(picture: TournamentSnapshot) -> Iterable[Cells]:
    """Yield the points of each entrant against each other entrant, by rank.

    A cell is empty if the two have not met.
    """
    rows = _standings(picture)
    yield ("rank", "bot", "points", *(row.rank for row in rows))
    for row, line in zip(rows, crosstables.of(picture), strict=True):
        yield (
            row.rank,
            _bot(picture, row.entrant),
            row.points,
            *("" if points is None else points for points in line.points),
        )


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
    for row in _entrants(picture):
        yield row.values()


def _match_ids(picture: TournamentSnapshot, meeting: PairingState) -> list[str]:
    pairing = picture.pairings[meeting.round, meeting.number]
    return [match.public_id for match in picture.matches.get(pairing.pk, [])]


def _entrants(picture: TournamentSnapshot) -> list[dict[str, Any]]:
    """Return the entrants in the order of their seeds, as data for JSON.

    Versions are secret until the freeze. The viewer learns a late entry or a withdrawal only if the
    rounds up to it are visible.
    """
    seeds = {entry.id: entry.seed for entry in picture.state.entries}
    rounds = len(picture.rounds)
    ordered = sorted(
        picture.entrants.values(), key=lambda entrant: (seeds.get(entrant.pk, 0), entrant.pk)
    )
    return [
        {
            "seed": seeds.get(entrant.pk),
            "bot": str(entrant.bot),
            "name": entrant.bot.name,
            "version": entrant.version.number if entrant.version and _is_frozen(picture) else None,
            "digest": entrant.digest,
            "status": entrant.status,
            "from_round": participation.from_round(entrant, rounds=rounds),
            "until_round": participation.until_round(entrant, rounds=rounds),
        }
        for entrant in ordered
    ]


def _line(picture: TournamentSnapshot, row: StandingsRow) -> dict[str, Any]:
    slugs = picture.setup.tie_breaks
    return {
        "rank": row.rank,
        "bot": _bot(picture, row.entrant),
        **{name: getattr(row, name) for name in COUNTS},
        "tie_breaks": dict(zip(slugs, row.tie_breaks, strict=False)),
        "decided_by": row.decided_by,
        "stage": row.stage,
        "group": row.group or None,
    }


def _pairing(picture: TournamentSnapshot, meeting: PairingState) -> dict[str, Any]:
    entrants = []
    for entrant in meeting.entrants:
        score = meeting.score_of(entrant)
        names = ("wins", "draws", "losses", "forfeits")
        games = {name: getattr(score, name) if score else None for name in names}
        entrants.append({"bot": _bot(picture, entrant), **games})
    return {
        "id": picture.pairings[meeting.round, meeting.number].public_id,
        "number": meeting.number,
        "slot": meeting.slot,
        "decision": str(meeting.decision),
        "is_over": meeting.is_over,
        "entrants": entrants,
        "matches": _match_ids(picture, meeting),
    }


TABLES: Mapping[str, Callable[[TournamentSnapshot], Iterable[Cells]]] = {
    "standings": _standings_table,
    "crosstable": _crosstable,
    "pairings": _pairings_table,
    "entrants": _entrants_table,
}
