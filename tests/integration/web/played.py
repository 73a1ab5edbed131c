"""Finished matches with games that were really played: at random, without any program."""

from dataclasses import replace
from functools import cache

from arena.domain import finishing
from arena.domain.matches import lifecycle
from arena.domain.matches.lifecycle import PlayedGame
from arena.models import Match
from engine import registry
from engine.outcome import Result, Termination
from engine.record import FORMAT, Played, PlayerId, Record, sealed
from engine.rng import Rng
from engine.version import VERSION
from tests.factories import get_ladder, make_ready

SECRET = "only for the owner of entrant"


@cache
def random_record(variant_name, rng_seed):
    """Play random legal actions to the end of the game; a process plays each game once."""
    variant = registry.find(variant_name)
    options = registry.resolve_options(variant, {})
    state = variant.begin(options, rng_seed)
    chance = Rng(rng_seed, "test")
    actions: list[Played] = []
    while not (result := variant.result(state)):
        for seat in variant.asked(state):
            action = variant.sample(state, seat, chance)
            variant.apply(state, seat, action)
            actions.append(Played(seat, action, 3 + len(actions) % 5))
    return sealed(
        Record(
            format=FORMAT,
            engine=VERSION,
            variant=variant.name,
            options=options,
            rng_seed=rng_seed,
            game="g_test",
            players={seat: PlayerId(seat, "") for seat in variant.seats},
            clock={},
            isolation="process",
            actions=tuple(actions),
            result=result,
        )
    )


def refused_record(variant_name, rng_seed):
    """End a game before its first ply: red's set-up was refused, blue's stands."""
    record = random_record(variant_name, rng_seed)
    detail = "red: illegal: the army has 1 of F (flag), not 40"
    result = Result({"red": 0.0, "blue": 1.0}, Termination.ILLEGAL_DEPLOYMENT, "red", detail)
    set_up = [played for played in record.actions[:2] if played.seat == "blue"]
    return sealed(replace(record, actions=tuple(set_up), result=result))


def waiting_match(first=None, second=None, ladder="general"):
    """Make a match of as many ready versions as the ladder asks for; nobody has begun it."""
    row = get_ladder(ladder)
    given = [first, second, *[None] * (row.entrants_per_match - 2)]
    return lifecycle.create_match(ladder=row, versions=[one or make_ready() for one in given])


def finished_match(
    first=None,
    second=None,
    ladder="general",
    isolation="docker",
    rng_seed=1,
    record_of=random_record,
):
    """Make a match, play its games at random and finish it."""
    match = waiting_match(first, second, ladder)
    play_random_games(match, isolation=isolation, rng_seed=rng_seed, record_of=record_of)
    return Match.objects.get(pk=match.pk)


def play_random_games(match, isolation="docker", rng_seed=1, record_of=random_record):
    """Play every game of a waiting match at random, or as `record_of` says, and finish it."""
    lease = lifecycle.claim(match_pk=match.pk)
    assert lease
    finish_games(lease, match, isolation, rng_seed, record_of)


def finish_games(lease, match, isolation="docker", rng_seed=1, record_of=random_record):
    """Play every game of a claimed match at random, or as `record_of` says, and finish it."""
    for game in match.games.order_by("number"):
        play_game(lease, game, record_of(match.ladder.variant, rng_seed + game.number), isolation)
    assert finishing.finish(lease=lease)


def play_game(lease, game, record, isolation="docker"):
    """Play one game of a claimed match and store it, as a runner does."""
    lifecycle.begin_game(lease=lease, game=game)
    played = PlayedGame(
        record_json=record.to_json(),
        outcome=dict(record.result.points),
        termination=record.result.termination,
        fault=record.result.fault or "",
        detail=record.result.detail,
        plies=max(0, len(record.actions) - _set_ups(record)),
        duration_ms=1234,
        isolation=isolation,
        logs={seat: f"{SECRET} {position}" for seat, position in game.seats.items()},
    )
    lifecycle.store_game(lease=lease, game=game, played=played)


def _set_ups(record):
    """Count the seats that deploy before the game."""
    variant = registry.find(record.variant)
    return len(variant.asked(variant.begin(record.options, record.rng_seed)))


def players_of(match):
    """Return the versions of a match in the order of their positions."""
    return [entrant.version for entrant in match.entrants.order_by("position")]
