"""The acts of organizers and what rehearsals show, in words: a name each, and a sentence."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from arena.web.tournaments.format_words import Word

ACTS: Mapping[str, Word] = {
    "void": Word(
        _("Void a match"),
        _(
            "A match that is not over is ended as the platform's fault and played from the "
            "beginning, by the same bots and the same chance."
        ),
    ),
    "rerun": Word(
        _("Play a match again"),
        _(
            "A match that is over is played once more, by the same chance. The old result stays "
            "where it is and counts no longer. Where the pairing was awarded, play decides again."
        ),
    ),
    "award": Word(
        _("Award a pairing"),
        _(
            "All games of the pairing count as won by one entrant, or as shared. What was played "
            "in it stays where it is and counts no longer."
        ),
    ),
    "substitute": Word(
        _("Substitute a version"),
        _(
            "Another version of the bot plays from now on. Results stand; matches that are not "
            "over are played from the beginning."
        ),
    ),
    "withdraw": Word(
        _("Withdraw an entrant"),
        _(
            "The entrant is not paired any more, for good. Its results stand, and what is drawn "
            "is played to its end."
        ),
    ),
    "disqualify": Word(
        _("Disqualify an entrant"),
        _(
            "The entrant is out at once, for good. What it has played stands; what it has not is "
            "lost by walkover."
        ),
    ),
    "add_rounds": Word(
        _("Add rounds"), _("More rounds are played than was said. Those to come are drawn later.")
    ),
    "add_matches": Word(
        _("Add matches to a pairing"), _("The pairing is played in more matches than was said.")
    ),
    "postpone": Word(
        _("Postpone"), _("Versions are frozen later, or it starts later than was said.")
    ),
}

SIGHTS: Mapping[str, Word] = {
    "bye": Word(_("a bye"), _("An odd number of entrants leaves one without an opponent.")),
    "tie": Word(_("a tie"), _("Two bots of one program play each other to a level score.")),
    "crash": Word(_("a crash"), _("A bot that dies at the first question forfeits its games.")),
    "withdrawal": Word(_("a withdrawal"), _("One entrant leaves after round 1.")),
}
