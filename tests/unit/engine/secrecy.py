"""Secrecy as a search for leaks: what a seat cannot know changes nothing for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import EngineError
from engine.protocol import act_message
from engine.rng import Rng
from engine.svg import draw
from engine.variant import FULL, PUBLIC, Event, Variant
from tests.unit.engine.games import actions_met, caps, mutations, some, states_within

SHARES = (0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1)
MANY = 40  # texts and actions looked at in one state
LONG = 400  # plies, so that late positions are looked at too


def leaks(
    variant: Variant[Any], options: Mapping[str, Any], rng_seed: int
) -> tuple[float, str] | None:
    """Name the first stage and observer at which a re-dealt state looks different, or None."""
    states = states_within(variant, rng_seed, SHARES, {**caps(variant, LONG), **options})
    for share, state in zip(SHARES, states, strict=True):
        for observer in (*variant.seats, PUBLIC):
            twin = variant.redeal(state, observer, Rng(rng_seed, f"{share}/{observer}"))
            seen = [
                all_that_a_seat_gets(variant, one, observer, Rng(rng_seed)) for one in (state, twin)
            ]
            told = quiet_news(variant, observer, state, twin)
            if seen[0] != seen[1] or any(here != there for here, there in told):
                return share, observer
    return None


def all_that_a_seat_gets(variant: Variant[Any], state: Any, observer: str, rng: Rng) -> Any:
    """Put everything together that reaches an observer from a state."""
    view = variant.view(state, observer)
    picture = draw(variant.scene(view), title="board")
    if observer not in variant.seats:
        return view, picture
    legal = variant.legal(state, observer)
    attempts = [
        *some([*(legal or []), *actions_met(variant)], rng, 2 * MANY),
        "",
        "F",
        "resign",
        "a1",
        "\ud800",
    ]
    return (
        view,
        picture,
        legal,
        act_message(view=view, events=[], legal=legal, bank_ms=1, used_ms=1),
        observer in variant.asked(state),
        [
            answer_to(variant, state, observer, text)
            for text in [*attempts, *mutations(tuple(attempts), rng, MANY)]
        ],
    )


def answer_to(variant: Variant[Any], state: Any, seat: str, text: str) -> Any:
    """Return the answer to a seat's attempt, before the rules reveal anything."""
    try:
        variant.apply(variant.copy(state), seat, text)
    except EngineError as problem:
        return type(problem).__name__, str(problem), getattr(problem, "rule", "")
    return "accepted"


def quiet_news(
    variant: Variant[Any], observer: str, state: Any, twin: Any
) -> list[tuple[Any, Any]]:
    """Pair what an observer hears and then sees of each action of another seat in two states.

    Only actions that reveal nothing in either.
    """
    asked, pairs = variant.asked(state), []
    if asked != variant.asked(twin):
        return []  # who has deployed differs, and nobody is told before all have
    for seat in set(asked) - {observer}:
        for here, there in _same_actions(variant, seat, state, twin):
            news = (
                news_of(variant, state, observer, seat, here),
                news_of(variant, twin, observer, seat, there),
            )
            if None not in news:
                pairs.append(news)
    return pairs


def _same_actions(
    variant: Variant[Any], seat: str, state: Any, twin: Any
) -> Sequence[tuple[str, str]]:
    """Pair actions that look the same to others: those legal in both states, or deployments."""
    here, there = (variant.legal(one, seat) for one in (state, twin))
    if here is None or there is None:
        return [(variant.sample(state, seat, Rng(0)), variant.sample(twin, seat, Rng(0)))]
    shared = some(sorted(set(here) & set(there)), Rng(0), MANY)
    return list(zip(shared, shared, strict=True))


def news_of(variant: Variant[Any], state: Any, observer: str, seat: str, action: str) -> Any:
    """Put together what an observer hears and then sees of an action, or None where it reveals."""
    before, after = variant.view(state, observer), variant.copy(state)
    events = variant.apply(after, seat, action)
    if reveals(variant, events):
        return None
    expected = [event for event in events if not _draws(event, observer)]
    heard = [event.seen_by(observer) for event in expected]
    said = [variant.describe(words, before) for words in heard]
    drawn = [event.public for event in events if _draws(event, observer)]
    return heard, said, drawn or variant.view(after, observer)


def reveals(variant: Variant[Any], events: Sequence[Event]) -> bool:
    """Return whether some of these events may tell what was hidden until then."""
    return not (variant.revealing | {"ended"}).isdisjoint(event.kind for event in events)


def _draws(event: Event, observer: str) -> bool:
    """Return whether an observer takes cards that nobody has seen: what they are is no news."""
    return event.kind == "drew" and event.public["seat"] == observer


def hides(variant: Variant[Any], state: Any, observer: str) -> bool:
    """Return whether an observer sees less than all."""
    everything = {**variant.view(state, FULL), "observer": observer}
    return variant.view(state, observer) != everything
