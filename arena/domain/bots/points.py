"""Where the points of a bot go: its latest rated games, or those against one bot, in parts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Prefetch

from arena.domain.bots import head_to_head
from arena.domain.bots.head_to_head import Tally, side_of, sides_of
from arena.domain.matches import filters, record_compression
from arena.domain.matches.filters import MatchFilter
from arena.models import Bot, Game, GameRecord, Ladder, Match, MatchEntrant, Viewer
from engine import replay
from engine.errors import BadRecord
from engine.record import Record
from engine.variant import FULL

LATEST_MATCHES = 200  # are counted, of all ladders
LATEST_RECORDS = 30  # are read on each ladder; each is parsed as a whole
LENGTHS = 3  # parts of the games, from short to long, each with as many


@dataclass(slots=True)
class Points:
    """The games of a bot on one ladder, in all and in parts.

    `endings` are by termination, and `lengths` by the most plies of each third. `forfeits` are its
    own, and `opponent_forfeits` those of its opponents. Of the latest games only, `setups` are by
    the action with which the bot set up, `action_ms` has what each of its actions was charged, and
    `opponent_action_ms` each of theirs.
    """

    ladder: Ladder
    tally: Tally = field(default_factory=Tally)
    opponents: dict[Bot, Tally] = field(default_factory=dict)
    sides: dict[str, Tally] = field(default_factory=dict)
    endings: dict[str, Tally] = field(default_factory=dict)
    lengths: dict[int, Tally] = field(default_factory=dict)
    setups: dict[str, Tally] = field(default_factory=dict)
    forfeits: int = 0
    opponent_forfeits: int = 0
    action_ms: list[float] = field(default_factory=list)
    opponent_action_ms: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Played:
    """A game of a bot: its side and seats, its points, and its opponents by their seats."""

    game: Game
    side: str
    seats: Sequence[str]
    points: float
    opponents: Mapping[str, Bot]


def of_bot(*, bot: Bot, viewer: Viewer) -> list[Points]:
    """Return where the points of a bot go on each ladder, from its latest rated matches.

    Only matches that the viewer may see count, and no annulled ones.
    """
    return _on_ladders(bot, None, viewer, LATEST_MATCHES)


def of_pair(*, bot: Bot, opponent: Bot, viewer: Viewer) -> list[Points]:
    """Return the same of the games of a bot against another. Raise Refused: `same_bot`.

    As many matches count as for `head_to_head.between`.
    """
    head_to_head.check_apart(bot=bot, opponent=opponent)
    return _on_ladders(bot, opponent, viewer, head_to_head.LATEST_MATCHES)


def _on_ladders(bot: Bot, opponent: Bot | None, viewer: Viewer, most_matches: int) -> list[Points]:
    entrants = MatchEntrant.objects.select_related("version__bot__owner")
    rows = Match.objects.visible_to(viewer).finished().select_related("ladder")
    rows = rows.prefetch_related(Prefetch("entrants", queryset=entrants), "games")
    found: dict[int, list[_Played]] = {}
    ladders: dict[int, Ladder] = {}
    wanted = MatchFilter(bot=bot, opponent=opponent, rated=True)
    for match in filters.apply(rows, wanted)[:most_matches]:
        ladders[match.ladder_id] = match.ladder
        found.setdefault(match.ladder_id, []).extend(_games(match, bot, opponent))
    counted = [_counted(ladders[key], played) for key, played in found.items() if played]
    return sorted(counted, key=lambda points: points.ladder.slug)


def _games(match: Match, bot: Bot, opponent: Bot | None) -> Iterator[_Played]:
    """Yield the games of a bot in a match, against this opponent or any."""
    holders = {entrant.position: entrant.version for entrant in match.entrants.all()}
    sides = sides_of(match.ladder)
    for game in sorted(match.games.all(), key=lambda game: game.number):
        own = side_of(game, sides, holders, bot)
        if own is None or game.outcome is None:
            continue
        bots = {seat: holders[position].bot for seat, position in game.seats.items()}
        opponents = {
            seat: other
            for seat, other in bots.items()
            if sides[seat] != own[0] and opponent in (None, other)
        }
        if not opponents:
            continue
        yield _Played(
            game,
            side=own[0],
            seats=[seat for seat in bots if bots[seat] == bot],
            points=float(game.outcome[own[0]]),
            opponents=opponents,
        )


def _counted(ladder: Ladder, played: Sequence[_Played]) -> Points:
    points = Points(ladder)
    # The most plies of each part of the games, shortest first.
    plies = sorted(each.game.plies for each in played)
    most_plies = sorted({plies[len(plies) * part // LENGTHS - 1] for part in range(1, LENGTHS + 1)})
    points.lengths = {most: Tally() for most in most_plies}
    for each in played:
        got = each.points
        points.tally.add(got)
        points.sides.setdefault(each.side, Tally()).add(got)
        points.endings.setdefault(each.game.termination, Tally()).add(got)
        points.lengths[next(most for most in most_plies if each.game.plies <= most)].add(got)
        points.forfeits += each.game.fault in each.seats
        points.opponent_forfeits += each.game.fault in each.opponents
        for opponent in dict.fromkeys(each.opponents.values()):
            points.opponents.setdefault(opponent, Tally()).add(got)
    _read(played[:LATEST_RECORDS], points)
    return points


def _read(played: Sequence[_Played], points: Points) -> None:
    """Count what only the records of games tell. One that cannot be read is left out."""
    wanted = GameRecord.objects.filter(game__in=[each.game.pk for each in played])
    blobs = dict(wanted.values_list("game", "blob"))
    for each in played:
        try:
            text = record_compression.unpacked(blob=bytes(blobs[each.game.pk]))
            record = Record.from_json(text)
            setup = replay.set_ups(record, FULL).get(each.seats[0], "")
        except (KeyError, BadRecord):
            continue
        for action in record.actions:
            if action.seat in each.seats:
                points.action_ms.append(action.charged_ms)
            elif action.seat in each.opponents:
                points.opponent_action_ms.append(action.charged_ms)
        if setup:
            points.setups.setdefault(setup, Tally()).add(each.points)
