"""The law of secrecy: what a seat cannot know changes nothing that it sees, hears or is refused."""

import re
from dataclasses import replace

import pytest

from engine.duel.moves import legal_moves
from engine.errors import EngineError
from engine.protocol import act_message
from engine.registry import find, resolve_options, variants
from engine.rng import Rng
from engine.svg import draw
from engine.variant import FULL, PUBLIC
from tests.engine.games import live_state, random_state
from tests.engine.positions import place

EVERY = pytest.mark.parametrize("variant", variants().values(), ids=variants().keys())
STAGES = (0, 1, 2, 3, 10, 40, 90, 160, 250, 400)
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"reveal_after_fight": "forget"},
    {"chase_rule": "isf", "shuttle_scout": "path", "immobile": "mover"},
)


def attempts(variant, state, rng):
    """Give texts of all kinds: legal, illegal, malformed."""
    squares = [cell.name for cell in variant.scene(variant.view(state, PUBLIC)).cells]
    moves = [rng.choice(squares) + rng.choice(squares) for _ in range(60)]
    steps = [
        start + end
        for start in squares
        for end in squares
        if abs(ord(start[0]) - ord(end[0])) + abs(int(start[1:]) - int(end[1:])) == 1
    ]
    return [*moves, *(rng.choice(steps) for _ in range(60)), "", "F", "a1", "a1a99", "\ud800"]


def answer_to(variant, state, seat, text):
    """Say how a seat's attempt is answered, as far as the rules go before anything is revealed."""
    try:
        variant.apply(variant.copy(state), seat, text)
    except EngineError as problem:
        return type(problem).__name__, str(problem), getattr(problem, "rule", "")
    return "accepted"


def all_that_a_seat_gets(variant, state, observer, rng):
    """Put everything together that reaches an observer from a state."""
    view = variant.view(state, observer)
    picture = draw(variant.scene(view), title="board")
    if observer not in variant.seats:
        return view, picture
    legal = variant.legal(state, observer)
    return (
        view,
        picture,
        legal,
        act_message(view=view, events=[], legal=legal, bank_ms=1, used_ms=1),
        observer in variant.asked(state),
        [answer_to(variant, state, observer, text) for text in attempts(variant, state, rng)],
    )


def ends(move):
    """Take a move apart: the square left and the square reached."""
    left, reached = re.findall("[a-z][0-9]+", move)
    return left, reached


def is_step(move):
    """Say whether a move goes one square, so that it tells nothing of what moved."""
    left, reached = ends(move)
    return abs(ord(left[0]) - ord(reached[0])) + abs(int(left[1:]) - int(reached[1:])) == 1


def quiet_steps(variant, observer, *states):
    """Give the steps of others onto free squares that are legal in every one of some states."""
    if variant.phase(states[0]) != "turn" or variant.asked(states[0]) == (observer,):
        return []
    (seat,) = variant.asked(states[0])
    taken = {piece["square"] for piece in variant.view(states[0], PUBLIC)["pieces"]}
    shared = set.intersection(*(set(variant.legal(state, seat)) for state in states))
    return [(seat, move) for move in sorted(shared) if is_step(move) and ends(move)[1] not in taken]


def all_that_is_told(variant, state, observer, moves):
    """Put together what an observer hears and then sees of moves; an end is known to all."""
    before, told = variant.view(state, observer), []
    for seat, move in moves:
        after = variant.copy(state)
        heard = [event.seen_by(observer) for event in variant.apply(after, seat, move)]
        said = [variant.describe(words, before) for words in heard]
        ended = variant.result(after) is not None
        told.append("ended" if ended else (heard, said, variant.view(after, observer)))
    return told


def leaks(variant, options, rng_seed):
    """Name the first stage and observer at which a re-dealt state looks different, or None."""
    for actions in STAGES:
        state = random_state(variant, rng_seed, actions, options)
        for observer in (*variant.seats, PUBLIC):
            twin = variant.redeal(state, observer, Rng(rng_seed, f"{actions}/{observer}"))
            steps = quiet_steps(variant, observer, state, twin)
            seen = [
                all_that_a_seat_gets(variant, one, observer, Rng(rng_seed)) for one in (state, twin)
            ]
            told = [all_that_is_told(variant, one, observer, steps) for one in (state, twin)]
            pairs = [pair for pair in zip(*told, strict=True) if "ended" not in pair]
            if seen[0] != seen[1] or any(one != other for one, other in pairs):
                return actions, observer
    return None


@EVERY
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("rng_seed", range(3))
def test_nothing_hidden_reaches_an_observer(variant, options, rng_seed):
    assert leaks(variant, options, rng_seed) is None


@EVERY
def test_the_law_compares_states_that_differ(variant):
    state = live_state(variant, 0, 40)
    twin = variant.redeal(state, "blue", Rng(1))

    assert variant.view(twin, FULL) != variant.view(state, FULL)
    assert len(quiet_steps(variant, "blue", state, twin)) > 3


@pytest.mark.parametrize("part", ["view", "legal", "error", "event"])
def test_a_variant_that_leaks_is_caught(part):
    honest = find("general")

    def rank_of_another(state):
        pieces = honest.view(state, FULL)["pieces"]
        return next((piece["rank"] for piece in pieces if piece["id"] == "b20"), "")

    def telling_view(state, observer):
        return {**honest.view(state, observer), "hint": rank_of_another(state)}

    def telling_legal(state, seat):
        legal = honest.legal(state, seat)
        return sorted(legal, reverse=rank_of_another(state) in "FB234") if legal else legal

    def telling_apply(state, seat, action):
        try:
            return honest.apply(state, seat, action)
        except EngineError as problem:
            raise type(problem)(f"{problem} {rank_of_another(state)}") from problem

    def telling_event(state, seat, action):
        events = honest.apply(state, seat, action)
        public = [{**event.public, "hint": rank_of_another(state)} for event in events]
        return tuple(
            replace(event, public=words) for event, words in zip(events, public, strict=True)
        )

    leaky = {
        "view": replace(honest, view=telling_view),
        "legal": replace(honest, legal=telling_legal),
        "error": replace(honest, apply=telling_apply),
        "event": replace(honest, apply=telling_event),
    }[part]

    assert any(leaks(leaky, {}, rng_seed) is not None for rng_seed in range(3))


@EVERY
def test_a_redeal_really_deals_anew_and_keeps_what_is_known(variant):
    state, seat = live_state(variant, 2, 40), "red"

    twins = [variant.redeal(state, seat, Rng(n)) for n in range(20)]

    dealt = {str(variant.view(twin, FULL)) for twin in twins}
    assert len(dealt) == 20
    truth = variant.view(state, FULL)
    for twin in twins:
        pieces = variant.view(twin, FULL)["pieces"]
        for before, after in zip(truth["pieces"], pieces, strict=True):
            if before["seat"] == seat or before["revealed"]:
                assert after == before
            if after["moved"]:
                assert after["rank"] not in "FB"
        for army in variant.seats:
            assert sorted(p["rank"] for p in pieces if p["seat"] == army) == sorted(
                p["rank"] for p in truth["pieces"] if p["seat"] == army
            )


def test_a_redeal_leaves_an_army_the_moves_without_which_the_game_would_be_over():
    game = place("general", red="Fa1 7d4", blue="7a7 Fa8 Bb8")  # a major on a8 would be walled in

    twins = [game.variant.redeal(game.state, "red", Rng(n)) for n in range(40)]

    assert {len(legal_moves(twin, 1)) > 0 for twin in twins} == {True}
    assert len({tuple(twin.rank) for twin in twins}) == 4


@EVERY
def test_a_redealt_game_goes_on_like_any_other(variant):
    state = live_state(variant, 2, 40)
    twin = variant.redeal(state, "red", Rng(1))
    rng = Rng(2)
    while variant.result(twin) is None:
        seat = variant.asked(twin)[0]
        variant.apply(twin, seat, variant.sample(twin, seat, rng))

    assert variant.view(twin, FULL)["phase"] == "over"


@EVERY
def test_no_message_tells_when_the_other_seat_has_deployed(variant):
    state = variant.begin(resolve_options(variant, {}), 0)
    before = {who: variant.view(state, who) for who in (*variant.seats, PUBLIC)}
    first, *others = variant.seats

    events = variant.apply(state, first, variant.sample(state, first, Rng(1)))

    assert events == ()
    for who in (*others, PUBLIC):
        assert variant.view(state, who) == before[who]
