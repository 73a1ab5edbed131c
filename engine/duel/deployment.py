"""The hidden set-up: both seats are asked at once; nothing is told before both have answered."""

from collections import Counter
from collections.abc import Mapping

from engine.duel.army import RANKS
from engine.duel.play import judge, resign
from engine.duel.spec import SEATS
from engine.duel.state import State
from engine.errors import IllegalAction, IllegalDeployment, MalformedAction
from engine.event import Event
from engine.outcome import RESIGN, ended
from engine.rng import Rng
from engine.variant import View


def deploy(state: State, seat: int, text: str) -> tuple[Event, ...]:
    """Take one seat's set-up; the last one puts both armies on the board and tells of both.

    A seat may resign instead, which is not told either before both have answered.

    Raise MalformedAction, IllegalDeployment, or IllegalAction where the seat has deployed already.
    """
    if state.deployed[seat] is not None:
        home = state.rules.spec.sentences["home"]
        raise IllegalAction(f"{SEATS[seat]} has already deployed", rule=home)
    if text != RESIGN:
        _check(state, text)
    state.deployed[seat] = text
    if None in state.deployed:
        return ()
    if RESIGN in state.deployed:
        return resign(state, [SEATS[at] for at in (0, 1) if state.deployed[at] == RESIGN])
    state.deploying = False
    events = []
    for at, deployment in enumerate(state.deployed):
        place(state, at, str(deployment))
        private = {SEATS[at]: {"deployment": deployment}}
        events.append(Event("deployed", {"seat": SEATS[at]}, private))
    state.result = judge(state)
    return (*events, ended(state.result)) if state.result else tuple(events)


def draft_deployment(view: View, rng: Rng) -> str:
    """Return a random legal deployment."""
    return _shuffled(view["army"], rng)


def sample_deployment(state: State, rng: Rng) -> str:
    """Return a random legal deployment of a seat that need not be asked."""
    return _shuffled(state.rules.spec.army, rng)


def _shuffled(army: Mapping[str, int], rng: Rng) -> str:
    codes = [code for code, count in army.items() for _ in range(count)]
    rng.shuffle(codes)
    return "".join(codes)


def _check(state: State, text: str) -> None:
    spec, strength = state.rules.spec, state.rules.strength
    if text in state.rules.board.moves:
        home = spec.sentences["home"]
        raise IllegalDeployment(f"{text}: the armies are set up before anything moves", rule=home)
    strange = sorted(set(text) - RANKS.keys())
    if strange or not text:
        raise MalformedAction(
            f"a deployment is {strength} rank codes; these are none: {''.join(strange)[:40]!r}"
        )
    if len(text) != strength:
        raise IllegalDeployment(
            f"a deployment fills all {strength} home squares; this one has {len(text)} pieces",
            rule=spec.sentences["home"],
        )
    counts = Counter(text)
    for code, name in RANKS.items():
        if counts[code] != spec.army.get(code, 0):
            raise IllegalDeployment(
                f"the army has {spec.army.get(code, 0)} of {code} ({name}), not {counts[code]}",
                rule=spec.sentences["army"],
            )


def place(state: State, seat: int, deployment: str) -> None:
    """Stand an army on its home squares."""
    first = seat * state.rules.strength
    for offset, (square, code) in enumerate(zip(state.rules.homes[seat], deployment, strict=True)):
        piece = first + offset
        state.rank[piece] = code
        state.put(piece, seat, square)
        state.muster(piece)
