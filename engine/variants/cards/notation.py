"""How the actions of a turn are written, and what is said of text that is none of them.

`2x4` own slot 2 attacks enemy slot 4 · `2s` the spy in slot 2 looks at the hand · `2l14` the scout
in slot 2 looks at slots 1 and 4 · `3f` the flag in slot 3 does the trick · `stop` ends a chain of
attacks · `1=3,4=B` fills slot 1 with a miner and slot 4 with a bomb.
"""

import re
from itertools import combinations

from engine.errors import EngineError, IllegalAction, MalformedAction, quoted
from engine.variants.cards.deck import RANKS
from engine.variants.cards.state import SLOTS

ACTION = re.compile(r"([1-5])(?:(x)([1-5])|(l)([1-5]{1,2})|([sf]))", re.ASCII)
FILLING = re.compile(rf"[1-5]=[{''.join(RANKS)}](?:,[1-5]=[{''.join(RANKS)}])*", re.ASCII)
LINE = re.compile(rf"[{''.join(RANKS)}]{{1,8}}", re.ASCII)
STOP = "stop"
PASSES = ("pass", "-", "")

ATTACKS = tuple(tuple(f"{own + 1}x{other + 1}" for other in range(SLOTS)) for own in range(SLOTS))
PEEKS = tuple(f"{own + 1}s" for own in range(SLOTS))
TRICKS = tuple(f"{own + 1}f" for own in range(SLOTS))


LOOKS = {  # own slot and the enemy's occupied slots -> the looks of a scout
    (own, occupied): tuple(
        f"{own + 1}l" + "".join(str(slot + 1) for slot in pair)
        for pair in combinations(occupied, min(2, len(occupied)))
    )
    for own in range(SLOTS)
    for count in range(1, SLOTS + 1)
    for occupied in combinations(range(SLOTS), count)
}


def taken_apart(text: str) -> tuple[int, str, tuple[int, ...]]:
    """Return own slot, kind (x, s, l or f) and enemy slots of an action, all counted from 0.

    Raise MalformedAction, or IllegalAction where it is good notation of another step (C9, C11).
    """
    match = ACTION.fullmatch(text)
    if match is None:
        raise _no_action(text)
    kind = match[2] or match[4] or match[6]
    slots = tuple(int(digit) - 1 for digit in match[3] or match[5] or "")
    if list(slots) != sorted(set(slots)):
        raise MalformedAction(f"{text}: a scout looks at two different slots, the lower one first")
    return int(match[1]) - 1, kind, slots


def _no_action(text: str) -> EngineError:
    if text in PASSES:
        return IllegalAction("nobody may pass: attack or show a card of your line", rule="C11")
    if text == STOP:
        return IllegalAction("stop is for who may attack again after a win", rule="C11")
    if FILLING.fullmatch(text):
        return IllegalAction(f"{quoted(text)}: gaps are filled after the attack", rule="C9")
    return out_of_step(text, "an action such as 2x4, 2s, 2l14 or 3f", "attack now", "C9")


def out_of_step(text: str, like: str, due: str, rule: str) -> EngineError:
    """Refuse text that is not what a step asks for: notation of another step, or of none."""
    steps = (ACTION, FILLING, LINE)
    if text in (STOP, *PASSES) or any(step.fullmatch(text) for step in steps):
        return IllegalAction(f"{quoted(text)} is for another step: {due}", rule=rule)
    return MalformedAction(f"{quoted(text)} is not {like}")


def fillings(text: str) -> dict[int, str]:
    """Return the rank for each slot, counted from 0, in the order of the slots.

    Raise MalformedAction, or IllegalAction where it is good notation of another step (C9).
    """
    if not FILLING.fullmatch(text):
        due = "fill the gaps of your line first"
        raise out_of_step(text, "a filling such as 1=3,4=B", due, "C9")
    pairs = [part.split("=") for part in text.split(",")]
    slots = [int(slot) - 1 for slot, _ in pairs]
    if slots != sorted(set(slots)):
        raise MalformedAction(f"{quoted(text)}: each slot once, the lowest first")
    return {slot: rank for slot, (_, rank) in zip(slots, pairs, strict=True)}
