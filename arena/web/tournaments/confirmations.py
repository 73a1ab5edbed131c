"""What the button says that does an act of organizers: what is done, and to whom."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.tournaments.interventions import targets
from arena.models import Pairing, Tournament, TournamentEntrant
from arena.web.tournaments import intervention_subjects, intervention_words

Said = Mapping[str, Any]  # what a valid form of the act has

SHARED = "shared"  # an award to all


def words(*, tournament: Tournament, act: str, said: Said) -> str:
    """Return what is done to whom by an act that was tried with success, by its name."""
    say = _WORDS.get(act)
    return say(tournament, said) if say else str(intervention_words.ACTS[act].name)


def _of_match(tournament: Tournament, said: Said, text: str) -> str:
    match, pairing = targets.match(tournament, said["match"])
    return text % {"leg": match.leg, "names": intervention_subjects.names(tournament, pairing)}


def _void(tournament: Tournament, said: Said) -> str:
    return _of_match(tournament, said, _("Void match %(leg)s of %(names)s"))


def _rerun(tournament: Tournament, said: Said) -> str:
    return _of_match(tournament, said, _("Play match %(leg)s of %(names)s again"))


def _pairing(tournament: Tournament, said: Said) -> Pairing:
    return targets.pairing(tournament, said["pairing"])


def _award(tournament: Tournament, said: Said) -> str:
    pairing = _pairing(tournament, said)
    if said["to"] == SHARED:
        text = _("Let all share %(pairing)s: %(names)s")
        names = intervention_subjects.names(tournament, pairing)
        return text % {"pairing": targets.label(pairing), "names": names}
    to = targets.entrant(tournament, int(said["to"]))
    return _("Award %(pairing)s to %(bot)s") % {"pairing": targets.label(pairing), "bot": to.bot}


def _add_matches(tournament: Tournament, said: Said) -> str:
    text = ngettext(
        "Add %(count)d match to %(names)s", "Add %(count)d matches to %(names)s", said["count"]
    )
    names = intervention_subjects.names(tournament, _pairing(tournament, said))
    return text % {"count": said["count"], "names": names}


def _add_rounds(_tournament: Tournament, said: Said) -> str:
    text = ngettext("Add %(count)d round", "Add %(count)d rounds", said["rounds"])
    return text % {"count": said["rounds"]}


def _entrant(tournament: Tournament, said: Said) -> TournamentEntrant:
    return targets.entrant(tournament, said["entrant"])


def _withdraw(tournament: Tournament, said: Said) -> str:
    return _("Withdraw %(bot)s") % {"bot": _entrant(tournament, said).bot}


def _disqualify(tournament: Tournament, said: Said) -> str:
    return _("Disqualify %(bot)s") % {"bot": _entrant(tournament, said).bot}


def _substitute(tournament: Tournament, said: Said) -> str:
    words = {"bot": _entrant(tournament, said).bot, "number": said["version"].number}
    return _("Let v%(number)s play for %(bot)s") % words


_WORDS: Mapping[str, Callable[[Tournament, Said], str]] = {
    "void": _void,
    "rerun": _rerun,
    "award": _award,
    "add_matches": _add_matches,
    "add_rounds": _add_rounds,
    "withdraw": _withdraw,
    "disqualify": _disqualify,
    "substitute": _substitute,
}
