"""The words of what is done in a tournament, by the action of a log entry.

Names of details stand for what they are in words; entrants are names. Those of formats are in
`reasons`, those of interventions in their classes.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.tournaments.reasons import Details, Words


def _entered(said: Details) -> str:
    if said.get("from_round", "1") == "1":
        return _("%(entrant)s was entered.")
    return _("%(entrant)s was entered late and plays from round %(from_round)s on.")


def _withdrew(said: Details) -> str:
    if said.get("until_round", "0") == "0":
        return _("%(entrant)s withdrew before the first round.")
    return _("%(entrant)s withdrew after round %(until_round)s; its results stand.")


def _version_chosen(said: Details) -> str:
    if said.get("version"):
        return _("Version %(version)s of %(entrant)s was chosen.")
    return _("%(entrant)s plays the version that is active at the freeze.")


def _took_list(said: Details) -> str:
    texts = []
    if said.get("entrants"):
        texts.append(_("Entered from a list: %(entrants)s."))
    if said.get("changed"):
        texts.append(_("Changed by a list: %(changed)s."))
    return " ".join(texts) or _("A list changed nothing.")


def _cancelled(said: Details) -> str:
    if said.get("matches", "0") == "0":
        return _("Cancelled.")
    return _("Cancelled. Matches that were ended: %(matches)s.")


def _release_set(said: Details) -> str:
    return {
        "hidden": _("The round is hidden: organizers alone see it, and what follows it."),
        "entrants": _("The round is shown to the owners of entrants."),
        "public": _("The round is shown to everybody."),
    }[said["release"]]


def _cannot_play(said: Details) -> str:
    if said.get("to"):
        return _(
            "Pairing %(pairing)s is a walkover for %(to)s: no version of %(entrants)s that was "
            "frozen can be played any more."
        )
    return _(
        "Pairing %(pairing)s is decided without a game: no version of %(entrants)s that was "
        "frozen can be played any more."
    )


def _round_drawn(said: Details) -> str:
    """Name what there is in the round only: a round without byes does not speak of byes."""
    pairings, decided = (_number(said.get(name, "")) for name in ("pairings", "decided"))
    text = ngettext(
        "Round %(number)s was drawn: %(pairings)s pairing is played.",
        "Round %(number)s was drawn: %(pairings)s pairings are played.",
        pairings,
    )
    if not decided:
        return text
    return (
        text
        + " "
        + ngettext(
            "%(decided)s more is a bye or a walkover.",
            "%(decided)s more are byes or walkovers.",
            decided,
        )
    )


def _number(said: str) -> int:
    return int(said) if said.isdecimal() else 0


BY_ACTION: Mapping[str, Words] = {
    # The life of a tournament
    "created": gettext_lazy("The tournament was drafted."),
    "edited": gettext_lazy("Changed: %(fields)s."),
    "opened": gettext_lazy("Registration was opened."),
    "frozen": gettext_lazy("Versions are frozen and seeds given: %(entrants)s."),
    "started": gettext_lazy("The tournament was started."),
    "paused": gettext_lazy("Paused: no match is begun and no round drawn."),
    "resumed": gettext_lazy("It goes on."),
    "completed": gettext_lazy("The last round is played; the standings are final."),
    "released": gettext_lazy("Everything is public."),
    "cancelled": _cancelled,
    "release_set": _release_set,
    "organizer_added": gettext_lazy("%(name)s organizes it too."),
    "organizer_removed": gettext_lazy("%(name)s organizes it no longer."),
    "rehearsed": gettext_lazy("A rehearsal was started: %(rehearsal)s."),
    # Entrants
    "entered": _entered,
    "invited": gettext_lazy("%(entrant)s was invited."),
    "accepted": gettext_lazy("%(entrant)s took its place."),
    "declined": gettext_lazy("%(entrant)s declined."),
    "lapsed": gettext_lazy("Invitations that lapsed: %(entrants)s."),
    "left": gettext_lazy("%(entrant)s left before the freeze."),
    "withdrew": _withdrew,
    "version_chosen": _version_chosen,
    "took_top": gettext_lazy("The best of the ladder were entered, up to %(n)s: %(entrants)s."),
    "took_list": _took_list,
    "fell_back": gettext_lazy(
        "Version %(chosen)s of %(entrant)s is not ready any more: version %(version)s plays."
    ),
    "dropped": gettext_lazy("%(entrant)s is out: it had no version that can play at the freeze."),
    # What it does by itself
    "round_drawn": _round_drawn,
    "round_finished": gettext_lazy("Round %(number)s is over."),
    "played_again": gettext_lazy(
        "Match %(match)s ended without a result (%(why)s) and is played again as %(again)s."
    ),
    "given_up": gettext_lazy(
        "Match %(match)s failed %(times)s times, the last time so: %(why)s. "
        "It waits for the organizers."
    ),
    "cannot_play": _cannot_play,
    "extra_matches": gettext_lazy(
        "%(entrants)s are level: matches were added, and now there are %(matches)s."
    ),
    "not_frozen": gettext_lazy("Its versions could not be frozen when it was time. %(why)s"),
    "not_started": gettext_lazy("It could not be started when it was time. %(why)s"),
}
