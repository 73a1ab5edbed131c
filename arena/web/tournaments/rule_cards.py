"""The rules of a tournament, as its page states them before entry."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from arena.domain.formats.types import Unplayable
from arena.domain.tournaments.setup import durations
from arena.domain.tournaments.setup.durations import DurationEstimate
from arena.models import EntryPolicy, Release, Tournament, TournamentStatus
from arena.web.tournaments import format_words
from arena.web.tournaments.page_visibility import Showing

POLICIES: Mapping[str, str | Promise] = {
    EntryPolicy.OPEN: _("Everybody with a bot that plays this game."),
    EntryPolicy.INVITED: _("Bots whose owners the organizers invite."),
    EntryPolicy.LISTED: _("Bots that the organizers put on their list."),
}
RELEASES: Mapping[str, str | Promise] = {
    Release.PUBLIC: _(
        "Everybody sees a round as soon as it is drawn, and watches its matches live."
    ),
    Release.ENTRANTS: _(
        "Owners of entrants see a round as soon as it is drawn. Everybody else sees it when the "
        "organizers show it, at the latest when the tournament is released."
    ),
    Release.HIDDEN: _(
        "Only the organizers see a round until they show it, at the latest when the tournament is "
        "released."
    ),
}


def rules(showing: Showing) -> dict[str, Any]:
    """Return the rules of a tournament in words.

    `ranking` has the ranking criteria in the order of application. `unplayed` is empty if no
    tie-break needs it. `deviations` say where tie-breaks differ from their definitions. `chance`
    has the words and values of the section about chance, or is None.
    """
    row, picture = showing.tournament, showing.picture
    meaning = format_words.meaning_for(picture.format, picture.setup.size)
    scoring_word = format_words.scoring_word(row.scoring)
    pairings = format_words.matches_in_a_pairing(row.matches_per_pairing, picture.setup.games)
    late = gettext("Not possible: nobody can enter after the freeze.")
    if row.last_entry_round and picture.format.takes_late_entries:
        text = gettext(
            "Until round %(number)s is drawn. Missed rounds give no points, and the version is "
            "frozen on entry."
        )
        late = text % {"number": row.last_entry_round}
    withdrawal = gettext(
        "Possible until the freeze. After that it is final, and the results of the entrant stand."
    )
    return {
        "facts": [
            (gettext("Format"), f"{capfirst(format_words.format_name(row.format))}. {meaning}"),
            *format_words.options_in_words(picture.format.options, picture.setup.options),
            (gettext("Pairings"), pairings),
            (gettext("Scoring"), f"{scoring_word.name}. {scoring_word.meaning}"),
            (gettext("Who may enter"), _who(row)),
            (gettext("Late entry"), late),
            (gettext("Withdrawal"), f"{withdrawal} {gettext(picture.format.after_leaving)}"),
            (gettext("Who sees a round"), str(RELEASES[row.release])),
        ],
        "ranking": format_words.ranking_words(showing.picture.format, row.tie_breaks),
        "unplayed": format_words.unplayed(showing.picture.format, row.tie_breaks),
        "deviations": format_words.deviations(showing.picture.format, showing.picture.setup),
        "chance": chance(row),
        "estimate": _estimate(showing),
        "estimate_entrants": _expected(showing),
        "organizers": row.organizers.order_by("username"),
    }


def chance(row: Tournament) -> dict[str, Any] | None:
    """Return where the chance comes from, in words and with the values that may be seen.

    Return None if there is no secret yet.
    """
    if not row.secret:
        return None
    if row.shown_secret:
        words = gettext("All chance follows from the secret, so anybody can check it.")
    elif row.status == TournamentStatus.CANCELLED:
        words = gettext(
            "All chance follows from a secret, which is not shown because the tournament was "
            "cancelled."
        )
    else:
        words = gettext(
            "All chance follows from a secret, which is shown when the tournament is released."
        )
    return {
        "words": words,
        "commitment": row.commitment,
        "secret": row.shown_secret,
        "place": "",
        "command": [],
    }


def _estimate(showing: Showing) -> DurationEstimate | None:
    """Return the estimated duration with the present entrants, or with the minimum if fewer."""
    row = showing.tournament
    if row.status in Tournament.OVER:
        return None
    try:
        return durations.estimate(tournament=row, entrants=_expected(showing))
    except Unplayable:
        return None  # unknown: organizers see the reason at the freeze


def _expected(showing: Showing) -> int:
    present = sum(entrant.until_round is None for entrant in showing.picture.entrants.values())
    return max(present, showing.tournament.min_entrants)


def _who(row: Tournament) -> str:
    if row.entry_policy == EntryPolicy.LADDER:
        text = gettext("The best %(count)s of the ladder %(ladder)s when versions are frozen.")
        policy = text % {"count": row.top_n or row.max_entrants, "ladder": row.ladder.name}
    else:
        policy = str(POLICIES[row.entry_policy])
    text = gettext("It needs %(least)s entrants and has places for %(most)s.")
    size = text % {"least": row.min_entrants, "most": row.max_entrants}
    if row.max_per_owner is None:
        return f"{policy} {size}"
    of_one_owner = ngettext(
        "At most %(count)s bot of one owner.",
        "At most %(count)s bots of one owner.",
        row.max_per_owner,
    )
    return f"{policy} {size} {of_one_owner % {'count': row.max_per_owner}}"
