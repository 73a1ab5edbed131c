"""What attacks on a ladder gain, in Elo, under the rules of before and of now.

Run it with `python -m tests.integration.queue.attacks`.

Ladders of bots of known strength are played with the site's own choice of opponents and its fit.
Each ladder is played three times from one seed: honestly, with the attack under the rules of
before, and with the attack under those of now. The gain is what the attacker has more than in the
honest ladder once it has played as many matches, in the mean of the ladders.

The rules of before stand in `Rules` alone. The site has no such switch. The status is 1 if an
attack surely gains more now than is allowed for it.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import numpy as np

from tests.integration.ratings import simulated

BOTS = 12
ATTACKER, FEEDERS = 0, (1, 2)
SPREAD, CIRCLE = 200.0, 150.0  # Elo: how strengths differ, and what goes in circles
MATCHES = 20  # of the attacker in which it attacks
AFTERWARDS = 10  # matches of its strong version, after sandbagging
PATIENCE = 12  # matches of others that the attacker lets pass
UPLOADS = 10  # of one program
LOOKS = 9  # at the own rating, before pausing where it was best
BETWEEN_LOOKS = 2  # matches
REFIT = 12  # matches between two fits
THROWN = 3000.0  # Elo: the gap of a game that is lost on purpose
SURELY = 3.0  # standard errors


@dataclass(frozen=True)
class Rules:
    """What the site lets an owner do.

    With `shows_opponents`, the opponent of a waiting match is known, and a pause cancels the match
    for nothing. With `lets_arrange`, two bots meet as often as their owners want, and meetings that
    are repeated are worth as much as the first. `ranked_from` is after how many matches a version
    has a rank.
    """

    shows_opponents: bool = False
    lets_arrange: bool = False
    ranked_from: int = 10


NOW = Rules()
BEFORE = Rules(shows_opponents=True, lets_arrange=True, ranked_from=2)


@dataclass
class World(simulated.World):
    """Bots of which some lose to others on purpose: (the loser, the winner); None is anybody."""

    throws: set[tuple[int, int | None]] = field(default_factory=set)

    def gap(self, own: tuple[int, ...], others: tuple[int, ...]) -> float:
        """Return the gap of two sides, with the games that are lost on purpose."""
        one, other = own[0], others[0]
        if self.throws & {(one, other), (one, None)}:
            return -THROWN
        if self.throws & {(other, one), (other, None)}:
            return THROWN
        return super().gap(own, others)


class Ladder(simulated.Ladder):
    """A ladder whose bot `ATTACKER` plays honestly. An attack is a subclass."""

    world: World

    def __init__(self, rng_seed: int, rules: Rules, bots: int = BOTS) -> None:
        random = np.random.default_rng(rng_seed)
        strengths = random.normal(0, SPREAD, bots)
        strengths[ATTACKER] = strengths[list(FEEDERS)] = 0.0
        super().__init__(World(strengths, random, circle=CIRCLE), Random(rng_seed), REFIT)
        self.rules = rules

    def run(self) -> None:
        """Play until the attacker has played its matches."""
        self.play_until(MATCHES)

    def rating(self) -> float:
        """Return the rating of the attacker's present version."""
        return self.fit().estimates[self.version[ATTACKER]].value

    def play_until(self, matches: int) -> None:
        """Play until the attacker's present version has played so many matches."""
        while self.matches[self.version[ATTACKER]] < matches:
            self.play()


class Dodging(Ladder):
    """The owner pauses the bot when it would meet one that beats it more than strengths say.

    It knows all bots. A bot that is paused lets a match of others pass. Where the opponent of a
    waiting match is not shown, and the match is played anyway, nothing is left to do.
    """

    played_at = 0

    def play(self) -> None:
        """Play a match, and note when it was one of the attacker."""
        super().play()
        if ATTACKER in self.made[-1]:
            self.played_at = len(self.made)

    def choose(self, **asked: object) -> tuple[int, ...]:
        """Return the next match that the owner lets happen."""
        bots = super().choose()
        if self.rules.shows_opponents and self.is_unwelcome(bots):
            self.waits_since[ATTACKER] = len(self.made)  # the site had made the match
            return super().choose(away=(ATTACKER,))
        return bots

    def is_unwelcome(self, bots: Sequence[int]) -> bool:
        """Return whether the attacker would meet a bot that beats it more than strengths say.

        It lets no more than `PATIENCE` matches of others pass, because its rating would lapse.
        """
        if ATTACKER not in bots or len(self.made) - self.played_at > PATIENCE:
            return False
        (other,) = set(bots) - {ATTACKER}
        world = self.world
        known = float(world.strengths[ATTACKER] - world.strengths[other])
        return world.gap((ATTACKER,), (other,)) < known


class Guessing(Dodging):
    """The owner does not see the match, but guesses it: everything that decides it is public.

    It lets the public program choose with other noise, and pauses before the site chooses.
    """

    def choose(self, **asked: object) -> tuple[int, ...]:
        """Return the match that the site chooses, without the attacker if it guesses a bad one."""
        guess = simulated.Ladder.choose(self, random=Random(len(self.made)))
        away = (ATTACKER,) if self.is_unwelcome(guess) else ()
        return simulated.Ladder.choose(self, away=away)


class Farming(Ladder):
    """Two bots of the owner's friends, as strong as the attacker, lose to it on purpose.

    Where the owners can arrange matches, every second match of the attacker is against one of them.
    """

    def __init__(self, rng_seed: int, rules: Rules, bots: int = BOTS) -> None:
        super().__init__(rng_seed, rules, bots)
        self.world.throws = {(feeder, ATTACKER) for feeder in FEEDERS}
        self.was_arranged = True

    def choose(self, **asked: object) -> tuple[int, ...]:
        """Return an arranged match, or one that the site chooses."""
        if self.rules.lets_arrange and not self.was_arranged:
            self.was_arranged = True
            return ATTACKER, FEEDERS[len(self.made) % len(FEEDERS)]
        bots = super().choose()
        self.was_arranged = self.was_arranged and ATTACKER not in bots
        return bots

    def met(self) -> Counter[frozenset[int]]:
        """Count the recent meetings, none of them where a repeat costs nothing."""
        return Counter() if self.rules.lets_arrange else super().met()


class Sandbagging(Ladder):
    """The first version loses on purpose; then the owner uploads one that plays as well as it can.

    The honest owner uploads the same strong program twice.
    """

    loses = True

    def run(self) -> None:
        """Play the first version, then the second."""
        self.world.throws = {(ATTACKER, None)} if self.loses else set()
        self.play_until(MATCHES)
        self.world.throws = set()
        self.renew(ATTACKER)
        self.play_until(AFTERWARDS)


class Renewing(Sandbagging):
    """The honest owner who uploads twice."""

    loses = False


class Uploading(Ladder):
    """The owner uploads one program again and again, and activates the luckiest ranked version."""

    def run(self) -> None:
        """Play each version until it has a rank, then go back to the one with the best rating."""
        for number in range(UPLOADS):
            if number:
                self.renew(ATTACKER)
            self.play_until(self.rules.ranked_from)
        estimates = self.fit().estimates
        own = range(ATTACKER, ATTACKER + UPLOADS * simulated.VERSIONS, simulated.VERSIONS)
        self.version[ATTACKER] = max(own, key=lambda version: estimates[version].value)


class Patient(Ladder):
    """The honest owner who uploads the program once, and lets it play as many matches."""

    def run(self) -> None:
        """Play as many matches as all versions of the other owner."""
        self.play_until(UPLOADS * self.rules.ranked_from)


class Pausing(Ladder):
    """The owner looks at the rating now and then. The bot stays where it was best, by hindsight."""

    best = -math.inf

    def run(self) -> None:
        """Play on from look to look."""
        for look in range(LOOKS):
            self.play_until(self.rules.ranked_from + BETWEEN_LOOKS * look)
            self.best = max(self.best, super().rating())

    def rating(self) -> float:
        """Return the best rating that was seen."""
        return self.best


class Staying(Ladder):
    """The honest owner who plays as many matches and does not pause."""

    def run(self) -> None:
        """Play as many matches as the one who looks."""
        self.play_until(self.rules.ranked_from + BETWEEN_LOOKS * (LOOKS - 1))


class Attack(NamedTuple):
    """An attack, the honest ladder that it is compared with, and what it may gain now.

    `allowed` is in Elo of the rating.
    """

    attack: type[Ladder]
    honest: type[Ladder]
    allowed: float


ATTACKS = {
    "dodging": Attack(Dodging, Ladder, 0.0),
    "dodging by guess": Attack(Guessing, Ladder, 50.0),
    "farming": Attack(Farming, Ladder, 100.0),
    "pausing": Attack(Pausing, Staying, 60.0),
    "sandbagging": Attack(Sandbagging, Renewing, 0.0),
    "uploading": Attack(Uploading, Patient, 60.0),
}


def gains(attack: Attack, rng_seed: int, bots: int = BOTS) -> tuple[float, float]:
    """Return what an attack gains on one ladder before and now: its rating less the honest one."""
    honest = _rating(attack.honest(rng_seed, NOW, bots))
    before, now = (
        _rating(attack.attack(rng_seed, rules, bots)) - honest for rules in (BEFORE, NOW)
    )
    return before, now


def _rating(ladder: Ladder) -> float:
    ladder.run()
    return ladder.rating()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ladders", type=int, default=40, help="of each attack")
    parser.add_argument("--bots", type=int, default=BOTS, help="on each ladder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attack", action="append", choices=ATTACKS)
    chosen = parser.parse_args()
    is_broken = False
    _show(" " * 20 + "".join(f"{head:>19}" for head in ("before", "now")))
    for name in chosen.attack or ATTACKS:
        attack = ATTACKS[name]
        seeds = range(1000 * chosen.seed, 1000 * chosen.seed + chosen.ladders)
        found = [gains(attack, rng_seed, chosen.bots) for rng_seed in seeds]
        before, now = (np.array([each[number] for each in found]) for number in (0, 1))
        cells = [_cell(rows) for rows in (before, now)]
        _show(f"{name:20}" + "".join(f"{cell:>19}" for cell in cells))
        is_broken |= is_more(now, attack.allowed)
    _show(f"Figures: {chosen.ladders} ladders of each attack, ± one standard error")
    return int(is_broken)


def is_more(gained: np.ndarray, allowed: float) -> bool:
    """Return whether the mean gain is surely above what is allowed."""
    mean, error = _mean_and_error(gained)
    return mean - SURELY * error > allowed


def _cell(gained: np.ndarray) -> str:
    mean, error = _mean_and_error(gained)
    return f"{mean:+.0f} ± {error:.0f}"


def _mean_and_error(gained: np.ndarray) -> tuple[float, float]:
    spread = float(gained.std(ddof=1)) if len(gained) > 1 else 0.0
    return float(gained.mean()), spread / math.sqrt(len(gained))


def _show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
