"""The Swiss system: a fixed number of rounds, in which entrants with similar points meet.

The entrants of a round are in the order of their points and then of their seeds. If they cannot all
be paired, the last one that never had a bye gets one. Nobody ever gets two, and nobody meets
anybody twice.
"""

from collections.abc import Sequence

from arena.domain.formats import (
    results,
    swiss_ahead,
    swiss_history,
    swiss_threes,
    swiss_twos,
    tables,
    tiebreaks,
)
from arena.domain.formats.base import Format
from arena.domain.formats.swiss_history import History
from arena.domain.formats.types import (
    PAIR,
    DecisionNote,
    Draw,
    FormatOption,
    PairingState,
    RoundOutline,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
    _,
)

ROUNDS = FormatOption(
    name="rounds",
    label=_("Rounds"),
    help=_("How many rounds are played."),
    default=5,
    least=1,
    most=100,
)

# By entrants: more than the theorem says. These were found by trying all possible histories.
_MOST_OF_FEW_THREES = {5: 2, 8: 4, 9: 4, 10: 4, 11: 4, 12: 3, 13: 4}
TEXTS = {
    "swiss_round": _("Round %(round)s"),
    "swiss_bye:bye": _("%(entrant)s has the bye: it ranks lowest of those who have had none."),
    "swiss_bye:passed": _(
        "%(entrant)s has the bye. These rank lower, but with a bye for one of them fewer rounds "
        "could be played: %(passed)s."
    ),
    "swiss_bye:had": _("These rank lower but have already had a round without a game: %(had)s."),
    "swiss_steps:none": _("All pairings are between entrants with equal points."),
    "swiss_steps:some": _(
        "Pairings between entrants with different points: %(pairings)s, because otherwise entrants "
        "would meet for a second time, now or later. The largest difference in points: %(widest)s."
    ),
    "swiss_no_round_left": _(
        "The tournament ends after round %(rounds)s of %(of)s: in any further round somebody "
        "would meet an opponent twice or have a second bye."
    ),
    "swiss_too_few_left": _(
        "The tournament ends after round %(rounds)s of %(of)s: too few entrants are left "
        "(%(entrants)s)."
    ),
    "swiss_too_many_rounds": _(
        "With %(entrants)s entrants, the number of rounds that can be played for certain without a "
        "second meeting is %(most)s, and %(rounds)s are planned. Plan fewer rounds, or let more "
        "bots enter."
    ),
}


class Swiss(Format):
    """A fixed number of rounds, in which entrants with similar points meet, and nobody twice."""

    slug = "swiss"
    label = _("Swiss system")
    meaning = _(
        "A fixed number of rounds. Entrants with similar points meet, and nobody meets anybody "
        "twice. The most points win."
    )
    meaning_for_more = _(
        "A fixed number of rounds. In each, %(size)d entrants with similar points meet, and nobody "
        "meets anybody twice. The most points win."
    )
    after_leaving = _("An entrant that has left is not paired any more.")
    position = 30
    texts = TEXTS

    options = (ROUNDS,)
    tie_breaks = tiebreaks.DEFAULT
    takes_late_entries = True
    alternative = "round_robin"

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if there are too few, or more rounds than are always possible."""
        if entrants < setup.size:
            raise Unplayable("too_few_entrants", least=setup.size, entrants=entrants)
        rounds, most = ROUNDS.value(setup), most_rounds(setup.size, entrants)
        if rounds > most:
            raise Unplayable("swiss_too_many_rounds", rounds=rounds, most=most, entrants=entrants)

    def announced_rounds(self, setup: Setup) -> int:
        """Return the number of rounds."""
        return ROUNDS.value(setup)

    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return its rounds, all alike."""
        pairings, byes = divmod(entrants, setup.size)
        return tuple(
            RoundOutline("swiss_round", {"round": number}, pairings=pairings, byes=byes)
            for number in range(1, ROUNDS.value(setup) + 1)
        )

    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw the next round; None after the last, and if there is none without a repeat."""
        if state.rounds >= ROUNDS.value(state.setup):
            return None
        history = swiss_history.before_next_round(state)
        if len(history.order) < state.setup.size:
            return None
        if state.setup.size == PAIR:
            ahead = ROUNDS.value(state.setup) - history.round
            groups = swiss_twos.pair(history, ahead=ahead)
        else:
            groups = swiss_threes.group(history)
        if groups is None:
            return None
        drawn = [
            PairingState(round=history.round, number=number, entrants=entrants)
            for number, entrants in enumerate(groups, start=1)
        ]
        byes = [meeting for meeting in drawn if len(meeting.entrants) == 1]
        meetings = [
            results.bye(state.setup, meeting) if meeting in byes else meeting for meeting in drawn
        ]
        notes = [_why_bye(history, meeting) for meeting in byes]
        return Draw(tuple(meetings), (*notes, *_steps(history, meetings)))

    def closing_notes(self, state: TournamentState) -> tuple[DecisionNote, ...]:
        """Return why it ends before its last round, if it does."""
        rounds = ROUNDS.value(state.setup)
        if state.rounds >= rounds or self.next_round(state) is not None:
            return ()
        left = len(swiss_history.before_next_round(state).order)
        code = "swiss_too_few_left" if left < state.setup.size else "swiss_no_round_left"
        return (DecisionNote(code, {"rounds": state.rounds, "of": rounds, "entrants": left}),)

    def standings(self, state: TournamentState) -> tuple[StandingsRow, ...]:
        """Rank by points and the tie-breaks."""
        return tables.standings(state, every_round=True)

    def is_finished(self, state: TournamentState) -> bool:
        """Return whether all that was drawn is over, and no further round will be drawn."""
        if not all(meeting.is_over for meeting in state.meetings):
            return False
        if state.rounds >= ROUNDS.value(state.setup):
            return True
        return not _surely_goes_on(state) and self.next_round(state) is None


def most_rounds(size: int, entrants: int) -> int:
    """Return how many rounds so many entrants can play for certain if all stay.

    For two in a match and few entrants: as many as there are opponents and byes to be had, because
    each round is drawn so that the others remain (`swiss_ahead`). For two and more entrants:
    those that have not met are neighbours in a graph in which all have the same number of
    neighbours; the bye is one more to meet. It can be paired while everybody has half of all as
    neighbours (G. A. Dirac, 1952), or one less if that is odd (W. D. Wallis, The smallest regular
    graphs without one-factors, 1981). For three: a graph can be divided into triangles if everybody
    has two thirds of all as neighbours (K. Corrádi, A. Hajnal, 1963), and every round removes two.
    """
    if size == PAIR and entrants <= swiss_ahead.FEW:
        return entrants - 1 + entrants % 2
    if size == PAIR:
        half = (entrants + 1) // 2
        return half + (half % 2 == 0)
    return _MOST_OF_FEW_THREES.get(entrants, (entrants // 3 + 1) // 2)


def _why_bye(history: History, meeting: PairingState) -> DecisionNote:
    """Return who has a bye, and who ranks lower: those that had a bye or a walkover, and others."""
    (entrant,) = meeting.entrants
    lower = history.order[history.order.index(entrant) + 1 :]
    rested = history.had_bye | history.had_walkover
    had = [other for other in lower if other in rested]
    details: dict[str, object] = {"entrant": entrant, "had": had}
    if passed := [other for other in lower if other not in rested]:
        details["passed"] = passed
    return DecisionNote("swiss_bye", details)


def _steps(history: History, meetings: Sequence[PairingState]) -> tuple[DecisionNote, ...]:
    """Return how many pairings have entrants with different points, if there are any."""
    points = [[history.points[entrant] for entrant in meeting.entrants] for meeting in meetings]
    uneven = [max(own) - min(own) for own in points if max(own) != min(own)]
    if not uneven:
        return ()
    widest = swiss_history.in_points(max(uneven))
    return (DecisionNote("swiss_steps", {"pairings": len(uneven), "widest": widest}),)


def _surely_goes_on(state: TournamentState) -> bool:
    """Return whether the theorems of `most_rounds` say that there is a round, without drawing it.

    In a match of two, the bye is one more to meet for an entrant that may get it. With three in a
    match any of the entrants that may have a bye can be away.
    """
    history, size = swiss_history.before_next_round(state), state.setup.size
    present, byes = set(history.order), len(history.order) % state.setup.size
    left = {entrant: len(present - history.met[entrant] - {entrant}) for entrant in present}
    free = present - history.had_bye
    if len(present) < size or len(free) < byes:
        return False
    if size == PAIR:
        nodes = [left[entrant] + (byes and entrant in free) for entrant in present]
        nodes += [len(free)] * byes
        return 2 * min(nodes) >= len(nodes)
    return 3 * (min(left.values()) - byes) >= 2 * (len(present) - byes)
