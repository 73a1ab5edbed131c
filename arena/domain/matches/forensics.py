"""Why a game ended abnormally: for each seat that forfeited, or for the platform.

That a bot failed, how and when is public once its match is over, because it is in the game's
record. The request, the response, the output and the end of the program are then for the owner of
the bot and for staff.
"""

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from arena.domain.accounts import permissions
from arena.domain.matches import evidence, replays
from arena.models import (
    Bot,
    Game,
    GameEvidence,
    GameStatus,
    Match,
    MatchEntrant,
    MatchStatus,
    User,
    Version,
    Viewer,
)
from engine import registry, schema
from engine.errors import UnknownVariant
from engine.outcome import PLATFORM, Termination
from engine.protocol import LINE_CAP_BYTES
from sandbox import limits

LATEST_MATCHES = 200  # of a bot; older ones are not searched for forfeits
STDERR_LINES = 25
PHASE = re.compile(rb'"phase":"(\w+)"')
PHASE_WITHIN_BYTES = 100  # of an act message: the phase comes before the view


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured value and its limit, both in `unit`: `ms` or `bytes`."""

    name: str
    value: float
    limit: float
    unit: str


@dataclass(frozen=True, slots=True)
class Grammar:
    """The expected response: its JSON Schema and, for an action, the notation of the phase.

    `legal` are the actions listed in the request, or None if it lists none.
    """

    phase: str  # "start" for the very first request
    answer: dict[str, Any]
    notation: dict[str, Any] | None
    legal: list[str] | None


@dataclass(frozen=True, slots=True)
class Inside:
    """The part for the owner of the bot and staff. `row` is None if there is no evidence."""

    row: GameEvidence | None
    grammar: Grammar | None
    measurements: list[Measurement]
    stderr: list[str]  # its last lines
    stderr_left_out: int  # lines before them


@dataclass(frozen=True, slots=True)
class AbnormalEnd:
    """The forfeit of a seat, or, with the seat `platform`, a failure of the platform.

    `termination` is None for a seat that forfeited in the same turn as another, if the game has the
    termination of the other one. `measurements` are its times, and `clock` says what they measure:
    `cpu` or `wall`. `inside` is None if the viewer may not read it.
    """

    seat: str
    version: Version | None
    termination: Termination | None
    detail: str
    measurements: list[Measurement]
    clock: str
    inside: Inside | None


def of_game(*, game: Game, viewer: User | AnonymousUser) -> list[AbnormalEnd]:
    """Return the abnormal ends of a game, first that of the seat that the game names.

    A game that a bot forfeited has none before it is disclosed.

    The game is loaded with its match and ladder.
    """
    if game.status != GameStatus.FINISHED:
        reason = game.match.failure or game.match.waiting_reason
        fault = Termination.PLATFORM_FAULT
        end = AbnormalEnd(PLATFORM, None, fault, reason, [], "", None)
        return [end] if _failed(game.match) else []
    if not game.is_disclosed:
        return []
    details = forfeited_seats(game=game)
    if not details:
        return []
    rows = {row.seat: row for row in game.evidence.all()}
    entrants = game.match.entrants.select_related("version__bot__owner")
    versions = {entrant.position: entrant.version for entrant in entrants}
    clock = str(replays.record(game=game)["clock"].get("basis", "wall"))
    ends = []
    for seat, detail in details.items():
        version, row = versions[game.seats[seat]], rows.get(seat)
        measurements = []
        if row:
            measurements = [Measurement("charged", row.charged_ms, row.allowance_ms, "ms")]
            if clock == "cpu":
                most_ms = limits.wall_deadline_ms(row.allowance_ms)
                measurements.append(Measurement("wall", row.wall_ms, most_ms, "ms"))
        may_read = permissions.may_see_logs(viewer, version.bot)
        ends.append(
            AbnormalEnd(
                seat=seat,
                version=version,
                termination=Termination(game.termination) if seat == game.fault else None,
                detail=detail,
                measurements=measurements,
                clock=clock,
                inside=_inside(game, seat, row) if may_read else None,
            )
        )
    return ends


def has_one(*, game: Game) -> bool:
    """Return whether the game has an abnormal end, without further queries."""
    if game.status != GameStatus.FINISHED:
        return _failed(game.match)
    return game.fault != "" and game.is_disclosed


def forfeited_seats(*, game: Game) -> dict[str, str]:
    """Return the seats that forfeited with their details, first the seat that the game names."""
    if game.fault not in game.seats:
        return {}
    seats = "|".join(map(re.escape, game.seats))
    _before, *parts = re.split(rf"(?:\A|; )({seats}): ", game.detail)
    details = dict(zip(parts[::2], parts[1::2], strict=True))
    return {game.fault: "", **details}


def latest_of(*, bot: Bot, limit: int, viewer: Viewer) -> list[tuple[Game, str]]:
    """Return the latest games that the bot forfeited, newest first, each with its seat.

    Only games that the viewer may see are returned. Only the latest matches of the bot are
    searched, so that many matches do not cost more.
    """
    versions = list(bot.versions.order_by().values_list("pk", flat=True))
    played = MatchEntrant.objects.newest(versions=versions, count=LATEST_MATCHES)
    positions = dict(played.values_list("match", "position"))
    visible = Game.objects.visible_to(viewer).select_related("match__ladder")
    games = visible.filter(~Q(fault=""), match__in=positions)
    own = (
        (game, seat)
        for game in games.order_by("-match_id", "-number")
        if game.is_disclosed
        for seat in forfeited_seats(game=game)
        if game.seats[seat] == positions[game.match_id]
    )
    return [pair for pair, _ in zip(own, range(limit), strict=False)]


def last_lines(text: str) -> tuple[list[str], int]:
    """Return the last lines of a log as printable text, and the number of lines before them."""
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    shown = [evidence.readable(line.encode()) for line in lines[-STDERR_LINES:]]
    return shown, len(lines) - len(shown)


def program_of(*, version: Version) -> str:
    """Return the bot that an author names, as uploaded or unpacked, shell-quoted."""
    path = PurePosixPath(version.filename)
    name = f"{path.stem}/" if path.suffix == ".zip" else path.name
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def _failed(match: Match) -> bool:
    """Return whether the match failed, finally or until a retry, by the platform's fault."""
    if match.status in (MatchStatus.FAILED, MatchStatus.RETRYING):
        return True
    return match.status == MatchStatus.CANCELLED and match.reruns.exists()


def _inside(game: Game, seat: str, row: GameEvidence | None) -> Inside:
    written = game.logs.filter(seat=seat).values_list("stderr", flat=True).first()
    lines, left_out = last_lines(written or "")
    return Inside(
        row=row,
        grammar=_grammar(game, bytes(row.request)) if row else None,
        measurements=list(_spent(row)) if row else [],
        stderr=lines,
        stderr_left_out=left_out,
    )


def _spent(row: GameEvidence) -> Iterator[Measurement]:
    if row.cpu_ms is not None:
        yield Measurement("cpu", row.cpu_ms, limits.CPU_SECONDS * 1000, "ms")
    if row.peak_memory_bytes is not None:
        yield Measurement("memory", row.peak_memory_bytes, limits.MEMORY_BYTES, "bytes")
    yield Measurement("answer", len(row.received), LINE_CAP_BYTES, "bytes")


def _grammar(game: Game, request: bytes) -> Grammar | None:
    """Return the grammar of a request. The end of a very long request may be missing."""
    try:
        wire = registry.find(game.match.ladder.variant).schema()
    except UnknownVariant:
        return None
    phase = PHASE.search(request, 0, PHASE_WITHIN_BYTES)
    if phase is None:
        return Grammar("start", wire["$defs"]["ready"], None, None) if request else None
    name = phase[1].decode()
    notation = wire["$defs"].get(f"action_{name}")
    if notation is None:
        return None
    try:
        legal: list[str] | None = json.loads(request).get("legal")
    except ValueError:
        legal = None
    return Grammar(name, schema.answer_in(wire, name), notation, legal)
