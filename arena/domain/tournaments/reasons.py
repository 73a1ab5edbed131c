"""The words of formats: why something was decided so, what a round is, why it cannot be played.

A code of `arena.domain.formats` has a text with the names of its details, or a function that
chooses between several. Entrants are names here already.
"""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

Details = Mapping[str, str]
Text = str | Promise
Words = Text | Callable[[Details], Text]

FINAL, SEMI_FINALS, QUARTER_FINALS = "2", "4", "8"
PLAY_OFF = "P"  # with which slots begin


def _swiss_bye(said: Details) -> str:
    text = _("%(entrant)s has the bye: it stands lowest of those who have had none yet.")
    if said.get("had"):
        text += " " + _("Standing lower, but without a game to play in an earlier round: %(had)s.")
    return text


def _swiss_steps(said: Details) -> str:
    if said.get("pairings") == "0":
        return _("Everybody meets somebody with as many points.")
    return _(
        "Pairings of entrants with different points: %(pairings)s, since no others were possible "
        "without a second meeting. The widest step in points: %(widest)s."
    )


def _bracket_walkover(said: Details) -> str:
    if said.get("is_final") == "1":
        text = _("%(named)s: %(entrant)s wins it without a game, since %(left)s left.")
    else:
        text = _("%(named)s: %(entrant)s goes on without a game, since %(left)s left.")
    return text.replace("%(named)s", meeting_name(said))


def _swiss_too_many_rounds(said: Details) -> str:
    most = said.get("most", "")
    return ngettext(
        "%(entrants)s entrants can play at most %(most)s round for certain without meeting twice, "
        "and that would be %(rounds)s: play fewer rounds, or let more enter.",
        "%(entrants)s entrants can play at most %(most)s rounds for certain without meeting twice, "
        "and that would be %(rounds)s: play fewer rounds, or let more enter.",
        int(most) if most.isdecimal() else 0,
    )


def _bracket_level(said: Details) -> str:
    extra = said.get("extra", "")
    text = ngettext(
        "%(named)s, %(entrants)s: level after %(extra)s extra match.",
        "%(named)s, %(entrants)s: level after %(extra)s extra matches.",
        int(extra) if extra.isdecimal() else 0,
    )
    return _settled(text, said)


def _bracket_void(said: Details) -> str:
    return _settled(_("%(named)s, %(entrants)s: void."), said)


def _bracket_award_shared(said: Details) -> str:
    return _settled(_("%(named)s, %(entrants)s: the games are shared."), said)


def _bracket_nobody(said: Details) -> str:
    text = _(
        "%(named)s, %(entrants)s: all had left. %(entrant)s, seeded highest, keeps the place, "
        "and is passed over where somebody is there."
    )
    return text.replace("%(named)s", meeting_name(said))


def _settled(text: str, said: Details) -> str:
    """Add who goes on from a meeting, or what it has won, and why."""
    if said.get("part") == "third_place":
        outcome = _("%(entrant)s is third, since %(why)s.")
    elif said.get("is_final") == "1":
        outcome = _("%(entrant)s wins it, since %(why)s.")
    else:
        outcome = _("%(entrant)s goes on, since %(why)s.")
    text = text.replace("%(named)s", meeting_name(said))
    return text + " " + outcome.replace("%(why)s", _why(said))


def _why(said: Details) -> str:
    is_play_off = said.get("slot", "").startswith(PLAY_OFF)
    if not said.get("left"):
        return _("it is seeded higher in the play-off") if is_play_off else _("it is seeded higher")
    if said.get("others", "0") != "0":
        return _("%(left)s left, and it is seeded highest of the others")
    return _("%(left)s left")


def meeting_name(said: Details) -> str:
    """Name a meeting of a bracket by its part and its column."""
    part, to_go = said.get("part"), said.get("to_go", "")
    if part == "third_place":
        return _("Third place")
    if part == "final":
        return _("Grand final") if said.get("column") == "1" else _("Second final")
    if part == "lower":
        return _("Lower final") if to_go == "0" else _("Lower round %(column)s")
    if said.get("is_double") == "1":
        return _("Upper final") if to_go == "0" else _("Upper round %(column)s")
    if to_go == "0":
        return _("Final")
    names = {SEMI_FINALS: _("Semi-final"), QUARTER_FINALS: _("Quarter-final")}
    return names.get(said.get("places", "")) or _("Round of %(places)s")


def _bracket_round(said: Details) -> str:
    names = {
        FINAL: _("Final"),
        SEMI_FINALS: _("Semi-finals"),
        QUARTER_FINALS: _("Quarter-finals"),
    }
    name = names.get(said.get("left", ""), _("Round of %(left)s"))
    if said.get("is_final") == "1":
        name = _("Final")
    return name + (_(" and match for third place") if said.get("third_place") == "1" else "")


def _double_round(said: Details) -> str:
    if said.get("lower", "0") == "0":
        return _("Upper bracket, round %(upper)s")
    if said.get("upper", "0") == "0":
        return _("Lower bracket, round %(lower)s")
    return _("Upper bracket, round %(upper)s, and lower bracket, round %(lower)s")


NOTES: Mapping[str, Words] = {
    "bracket_bye": gettext_lazy(
        "%(entrant)s has a bye: there are fewer entrants than places, and it is seeded high."
    ),
    "bracket_walkover": _bracket_walkover,
    "bracket_nobody": _bracket_nobody,
    "bracket_level": _bracket_level,
    "bracket_void": _bracket_void,
    "bracket_award_shared": _bracket_award_shared,
    "bracket_reset": gettext_lazy(
        "%(entrant)s lost to %(by)s, and for the first time: they meet once more."
    ),
    "group_draw": gettext_lazy("The groups, drawn by seed: %(groups)s."),
    "play_off_seeds": gettext_lazy("The seeds of the play-off, from 1 on: %(entrants)s."),
    "qualified": gettext_lazy("Through from group %(group)s: %(entrants)s."),
    "passed_over": gettext_lazy(
        "%(entrant)s of group %(group)s has left: the next of the group goes on."
    ),
    "left_out": gettext_lazy(
        "Qualified and left out all the same: %(entrants)s. Others have left, and the bracket "
        "cannot be played by as many as remain."
    ),
    "swiss_bye": _swiss_bye,
    "swiss_steps": _swiss_steps,
    "swiss_no_round_left": gettext_lazy(
        "It ends after round %(rounds)s of %(of)s: no further round is possible in which nobody "
        "meets twice and nobody has a second bye."
    ),
    "swiss_too_few_left": gettext_lazy(
        "It ends after round %(rounds)s of %(of)s: too few entrants are left, %(entrants)s."
    ),
}

ROUNDS: Mapping[str, Words] = {
    "round": gettext_lazy("Round %(round)s"),
    "swiss_round": gettext_lazy("Round %(round)s"),
    "group_round": gettext_lazy("Groups, round %(round)s"),
    "bracket_round": _bracket_round,
    "double_round": _double_round,
    "grand_final": gettext_lazy("Grand final"),
    "grand_final_reset": gettext_lazy("Grand final, once more if the unbeaten one loses it"),
}

UNPLAYABLE: Mapping[str, Words] = {
    "too_few_entrants": gettext_lazy(
        "It needs at least %(least)s entrants and has %(entrants)s: let more enter, "
        "or choose another format."
    ),
    "too_many_entrants": gettext_lazy(
        "At most %(most)s can be in a tournament and these are %(entrants)s: say fewer."
    ),
    "too_many_pairings": gettext_lazy(
        "That would be %(pairings)s pairings and at most %(most)s are played: let fewer enter, "
        "or choose a format with fewer rounds."
    ),
    "unknown_size": gettext_lazy(
        "This format cannot be played by %(size)s in a match, only by %(known)s: choose another "
        "format or another ladder."
    ),
    "unknown_format": gettext_lazy(
        "There is no format “%(slug)s”. Choose one of these: %(known)s."
    ),
    "unknown_scoring": gettext_lazy(
        "There is no scoring “%(slug)s”. Choose one of these: %(known)s."
    ),
    "unknown_tie_break": gettext_lazy(
        "There is no tie-break “%(slug)s”. Choose from these: %(known)s."
    ),
    "tie_break_twice": gettext_lazy("The tie-break “%(slug)s” is named twice: name it once."),
    "groups_too_small": gettext_lazy(
        "%(groups)s groups need at least %(least)s entrants and there are %(entrants)s: "
        "make fewer groups, or let more enter."
    ),
    "bracket_needs_pairs": gettext_lazy(
        "A bracket of matches for three is played by %(playable)s entrants, not by %(entrants)s: "
        "let so many enter, or choose another format."
    ),
    "bracket_size": gettext_lazy(
        "There is no bracket of matches for %(size)s: choose another format or another ladder."
    ),
    "swiss_too_many_rounds": _swiss_too_many_rounds,
}

BY_CODE: Mapping[str, Words] = {**NOTES, **ROUNDS, **UNPLAYABLE}
