"""Rows as the site itself makes them: through the domain, with games that were really played."""

from functools import cache
from itertools import count

from arena.domain import finishing
from arena.domain.accounts import accounts
from arena.domain.bots import bots
from arena.domain.matches import lifecycle
from arena.domain.matches.lifecycle import PlayedGame
from arena.models import Ladder, Match, Version, VersionStatus
from engine import referee
from engine.clock import ClockSpec
from engine.record import PlayerId
from engine.registry import find
from tests.unit.engine.players import MemoryTable, random_player

PASSWORD = "a long enough password"
SOURCE = b"print('a bot')\n"
WORDS = ("words of the first", "words of the second")
numbers = count(1)


def user(name=None):
    return accounts.create_user(username=name or f"dev{next(numbers)}", password=PASSWORD)


def token(owner, *scopes):
    """Return the text of a new token; without scopes it may do everything."""
    return accounts.issue_token(user=owner, name="test", scopes=scopes or None)[1]


def bot(owner=None, slug=None):
    return bots.create(owner=owner or user(), name="Bot", slug=slug or f"bot{next(numbers)}")


def version(of=None, **columns):
    row = bots.submit_version(bot=of or bot(), filename="bot.py", data=SOURCE)
    Version.objects.filter(pk=row.pk).update(**columns)
    row.refresh_from_db()
    return row


def ready_version(of=None):
    row = version(of, status=VersionStatus.READY, digest=f"{next(numbers):064x}")
    row.bot.active_version = row
    row.bot.save()
    return row


def ladder():
    return Ladder.objects.get(slug="general")


def match(red=None, blue=None):
    """Make a match in which `red` is red first, whatever the lot says."""
    made = lifecycle.create_match(
        ladder=ladder(), versions=[red or ready_version(), blue or ready_version()]
    )
    for game in made.games.all():
        position = game.number - 1
        game.seats = {"red": position, "blue": 1 - position}
        game.save(update_fields=["seats"])
    return made


def claimed(row):
    lease = lifecycle.claim(match_pk=row.pk)
    assert lease is not None
    return lease


def play_game(lease, game, *, logs=None):
    """Play one game of a claimed match and store it, as a runner does."""
    record = played_record()
    lifecycle.begin_game(lease=lease, game=game)
    lifecycle.store_game(
        lease=lease,
        game=game,
        played=PlayedGame(
            record_json=record.to_json(),
            outcome=record.result.points,
            termination=record.result.termination,
            fault=record.result.fault or "",
            detail=record.result.detail,
            plies=len(record.actions) - 2,
            duration_ms=100,
            isolation="docker",
            logs=logs or {seat: WORDS[position] for seat, position in game.seats.items()},
        ),
    )


def half_played_match(red=None, blue=None):
    """Return a match whose first game is finished and whose second one runs."""
    row = match(red, blue)
    lease = claimed(row)
    first, second = row.games.order_by("number")
    play_game(lease, first)
    lifecycle.begin_game(lease=lease, game=second)
    return row


def finished_match(red=None, blue=None):
    row = match(red, blue)
    lease = claimed(row)
    for game in row.games.order_by("number"):
        play_game(lease, game)
    assert finishing.finish(lease=lease)
    return Match.objects.get(pk=row.pk)


@cache
def played_record():
    """Return the record of one whole game between two random players."""
    variant = find("general")
    table = MemoryTable({seat: random_player(3 + n) for n, seat in enumerate(variant.seats)})
    return referee.play(
        variant,
        options={},
        rng_seed=7,
        game="test",
        players={seat: PlayerId(seat, "0" * 64) for seat in variant.seats},
        clock=ClockSpec(),
        table=table,
        isolation="docker",
    )
