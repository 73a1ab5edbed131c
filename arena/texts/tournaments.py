"""Tournaments: their log, the decisions of formats, the names of rounds, messages to people.

A code has one text, or several called "code:case", from which `arena.domain.tournaments.wording`
chooses by the details.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from arena.texts import Text

Texts = Mapping[str, Text]

ACTIONS: Texts = {
    # The life of a tournament
    "created": _("The tournament was created as a draft."),
    "edited": _("These fields were changed: %(fields)s."),
    "opened": _("Registration was opened."),
    "frozen:pinned": _("Versions were frozen and seeds were given: %(entrants)s."),
    "frozen:committed": _(
        "All chance follows from a secret. The commitment to it is %(commitment)s."
    ),
    "started": _("The tournament was started."),
    "paused": _("The tournament was paused: no match starts and no round is drawn."),
    "resumed": _("The tournament was resumed."),
    "completed": _("The last round was played. The standings are final."),
    "released:all": _("Everything was made public."),
    "released:secret": _("The secret from which all chance follows is %(secret)s."),
    "cancelled:alone": _("The tournament was cancelled."),
    "cancelled:with_matches": ngettext_lazy(
        "The tournament was cancelled, and %(matches)s open match with it.",
        "The tournament was cancelled, and %(matches)s open matches with it.",
        "matches",
    ),
    "release_set:hidden": _("Only the organizers can see this round and the rounds after it."),
    "release_set:entrants": _("The round was shown to the owners of entrants."),
    "release_set:public": _("The round was shown to everybody."),
    "organizer_added": _("%(name)s became an organizer."),
    "organizer_removed": _("%(name)s is no longer an organizer."),
    "rehearsed": _("A rehearsal was started: %(rehearsal)s."),
    # Entrants
    "entered:in_time": _("%(entrant)s was entered."),
    "entered:late": _("%(entrant)s was entered late and plays from round %(from_round)s on."),
    "invited": _("%(entrant)s was invited."),
    "accepted": _("%(entrant)s accepted the invitation."),
    "declined": _("%(entrant)s declined the invitation."),
    "lapsed": _("These invitations lapsed: %(entrants)s."),
    "left": _("%(entrant)s left before the freeze."),
    "withdrew:before_round_1": _("%(entrant)s withdrew before the first round."),
    "withdrew:later": _("%(entrant)s withdrew after round %(until_round)s. Its results stand."),
    "version_chosen:one": _("Version %(version)s of %(entrant)s was chosen."),
    "version_chosen:active": _("%(entrant)s plays the version that is active at the freeze."),
    "took_top": _("The best of the ladder, up to %(n)s, were entered: %(entrants)s."),
    "took_list:entrants": _("A list entered these bots: %(entrants)s."),
    "took_list:changed": _("A list changed these entrants: %(changed)s."),
    "took_list:nothing": _("A list changed nothing."),
    "fell_back": _(
        "Version %(chosen)s of %(entrant)s is no longer ready, so version %(version)s plays."
    ),
    "dropped": _("%(entrant)s was removed: it had no version that could play at the freeze."),
    # What it does by itself
    "round_drawn:pairings": ngettext_lazy(
        "Round %(number)s was drawn: %(pairings)s pairing is played.",
        "Round %(number)s was drawn: %(pairings)s pairings are played.",
        "pairings",
    ),
    "round_drawn:decided": ngettext_lazy(
        "%(decided)s more is a bye or a walkover.",
        "%(decided)s more are byes or walkovers.",
        "decided",
    ),
    "round_finished": _("Round %(number)s is over."),
    "played_again": _(
        "Match %(match)s ended without a result (%(why)s). It is played again as %(again)s."
    ),
    "given_up": ngettext_lazy(
        "Match %(match)s failed %(times)s time (%(why)s). It needs a decision of the organizers.",
        "Match %(match)s failed %(times)s times, most recently because of this: %(why)s. "
        "It needs a decision of the organizers.",
        "times",
    ),
    "cannot_play:walkover": _(
        "Pairing %(pairing)s is a walkover for %(to)s: the frozen version of %(entrants)s can "
        "no longer be played."
    ),
    "cannot_play:void": _(
        "Pairing %(pairing)s is decided without a game: the frozen versions of %(entrants)s "
        "can no longer be played."
    ),
    "extra_matches": ngettext_lazy(
        "%(entrants)s are level. Matches were added, and the pairing now has %(matches)s match.",
        "%(entrants)s are level. Matches were added, and the pairing now has %(matches)s matches.",
        "matches",
    ),
    "not_frozen": _("The versions could not be frozen at the planned time. %(why)s"),
    "not_started": _("The tournament could not be started at the planned time. %(why)s"),
}

# Why a format decided something so.
NOTES: Texts = {
    "bracket_bye": _(
        "%(entrant)s has a bye: the bracket has more places than entrants, and the highest seeds "
        "have the byes."
    ),
    "bracket_walkover:final": _(
        "%(meeting)s: %(left)s left, so %(entrant)s wins the final without a game."
    ),
    "bracket_walkover:earlier": _(
        "%(meeting)s: %(left)s left, so %(entrant)s advances without a game."
    ),
    "bracket_nobody": _(
        "%(meeting)s: %(entrants)s have all left. %(entrant)s, the highest seed, keeps the place, "
        "and the next opponent wins by walkover."
    ),
    "bracket_level:at_once": _("%(meeting)s: %(entrants)s are level."),
    "bracket_level:extra": ngettext_lazy(
        "%(meeting)s: %(entrants)s are level after %(extra)s extra match.",
        "%(meeting)s: %(entrants)s are level after %(extra)s extra matches.",
        "extra",
    ),
    "bracket_void": _("%(meeting)s: the pairing of %(entrants)s is void."),
    "bracket_award_shared": _("%(meeting)s: the games are awarded to %(entrants)s in equal parts."),
}

# What follows from a pairing of a bracket that its games do not decide, and why.
OUTCOMES: Texts = {
    "third": _("%(entrant)s takes third place."),
    "wins": _("%(entrant)s wins the final."),
    "advances": _("%(entrant)s advances."),
}
OUTCOME_REASONS: Texts = {
    "seed": _("Reason: it has the higher seed."),
    "play_off_seed": _("Reason: it has the higher seed in the play-off."),
    "left": _("Reason: %(left)s left."),
    "left_and_seed": _("Reason: %(left)s left, and it has the highest seed of the others."),
}

# A pairing of a bracket, by its place in it.
MEETINGS: Texts = {
    "third_place": _("Third place"),
    "grand_final": _("Grand final"),
    "second_final": _("Second final"),
    "lower_final": _("Lower final"),
    "lower_round": _("Lower round %(column)s"),
    "upper_final": _("Upper final"),
    "upper_round": _("Upper round %(column)s"),
    "final": _("Final"),
    "semi_final": _("Semi-final"),
    "quarter_final": _("Quarter-final"),
    "round": _("Round of %(places)s"),
}

# A column of pairings, where its name is not that of one pairing.
COLUMNS: Texts = {"semi_final": _("Semi-finals"), "quarter_final": _("Quarter-finals")}

ROUNDS: Texts = {
    "round": _("Round %(round)s"),
    "bracket_round:final": _("Final"),
    "bracket_round:final_and_third_place": _("Final and match for third place"),
    "bracket_round:semi_finals": _("Semi-finals"),
    "bracket_round:quarter_finals": _("Quarter-finals"),
    "bracket_round:round": _("Round of %(left)s"),
}

# Why a tournament cannot be played so, and what to do.
UNPLAYABLE: Texts = {
    "too_few_entrants": _(
        "The format needs at least %(least)s entrants, and there are %(entrants)s. Let more bots "
        "enter, or choose another format."
    ),
    "too_many_entrants": _(
        "A tournament has at most %(most)s entrants, and these would be %(entrants)s. Choose a "
        "smaller number."
    ),
    "too_many_pairings": _(
        "That would be %(pairings)s pairings, and at most %(most)s are possible. Let fewer bots "
        "enter, or choose a format with fewer rounds."
    ),
    "unknown_size": _(
        "This format cannot be played with %(size)s entrants in a match, only with %(known)s. "
        "Choose another format or another ladder."
    ),
    "unknown_format": _("There is no format “%(slug)s”. Choose one of these: %(known)s."),
    "unknown_scoring": _("There is no scoring “%(slug)s”. Choose one of these: %(known)s."),
    "unknown_tie_break": _("There is no tie-break “%(slug)s”. Choose from these: %(known)s."),
    "tie_break_twice": _("The tie-break “%(slug)s” is listed twice. List it once."),
    "bracket_needs_pairs:never": _(
        "This format needs matches of two. Choose another format or another ladder.",
    ),
    "bracket_needs_pairs:some": _(
        "A bracket of matches for three needs %(playable)s entrants, and there are "
        "%(entrants)s. Change the number of entrants, or choose another format."
    ),
    "bracket_size": _(
        "A bracket cannot be played with %(size)s entrants in a match. Choose another format or "
        "another ladder."
    ),
}

# A pairing as pages show it: why it has its result, or how far it is.
PAIRING: Texts = {
    "bye:scores": ngettext_lazy(
        "Bye (odd number of entrants): scores as %(games)s win.",
        "Bye (odd number of entrants): scores as %(games)s wins.",
        "games",
    ),
    "bye:bracket": _("Bye: advances without a match."),
    "walkover": _("Walkover."),
    "walkover:absent": _("Walkover: %(names)s did not play."),
    "award": _("Decided by an organizer: awarded to %(name)s."),
    "award:shared": _("Decided by an organizer: they share the games."),
    "void": _("Void: it counts for nobody."),
    "extra": ngettext_lazy(
        "Decided after %(extra)s more match, because it was level.",
        "Decided after %(extra)s more matches, because it was level.",
        "extra",
    ),
    # Pairings of a bracket whose games do not say who advances
    "nobody": _("All entrants have left: the higher seed keeps the place."),
    "bracket_void:seed": _("Void: the higher seed advances."),
    "bracket_void:left": _("Void: the entrant who has not left advances."),
    "bracket_award_shared:seed": _("The games are shared: the higher seed advances."),
    "bracket_award_shared:left": _("The games are shared: the entrant who has not left advances."),
    "bracket_level:seed": _("Level: the higher seed advances."),
    "bracket_level:left": _("Level: the entrant who has not left advances."),
    "bracket_extra:seed": ngettext_lazy(
        "Level, also after %(extra)s more match: the higher seed advances.",
        "Level, also after %(extra)s more matches: the higher seed advances.",
        "extra",
    ),
    "bracket_extra:left": ngettext_lazy(
        "Level, also after %(extra)s more match: the entrant who has not left advances.",
        "Level, also after %(extra)s more matches: the entrant who has not left advances.",
        "extra",
    ),
    # Labels of pairings that are open; "against" of OWN_ENTRY has them in brackets
    "cancelled": _("not played"),
    "paused": _("waiting: the tournament is paused"),
    "failed": _("a match failed: the organizers decide"),
    "partly": _("%(done)s of %(wanted)s matches played"),
    "playing": _("playing"),
    "waiting": _("waiting for a runner"),
}

# What comes next for an entrant, as its owner reads it.
OWN_ENTRY: Texts = {
    "invited": _("It is invited. Accept or decline before the freeze."),
    "not_answered": _("It was invited, and nobody answered."),
    "withdrawn": _("It has withdrawn."),
    "withdrawn:round": _("It withdrew after round %(round)s."),
    "disqualified": _("It was disqualified."),
    "entered:active": _("Entered. It plays the version that is active at the freeze."),
    "entered:version": _("Entered with version %(version)s."),
    "cancelled": _("The tournament was cancelled."),
    "finished:partly": _("The tournament has ended. Not all rounds are shown yet."),
    "finished:rank": _("Finished in place %(rank)s."),
    "round_1": _("Waiting for round 1."),
    "not_shown": _("Rounds from %(round)s on are not shown yet."),
    "against": _("Round %(round)s against %(others)s (%(state)s)."),
    "score": _("Round %(round)s: %(score)s against %(others)s."),
    "round": _("Round %(round)s."),
    "next_round": _("Waiting for the next round."),
    "rests": _("Rests in round %(round)s, as every entrant does in turn."),
    "not_paired": _("Not paired in round %(round)s."),
}

# What is wrong with the times of a tournament.
BEFORE: Texts = {
    "opens_at": _("This is before the registration opens. Put the times in order."),
    "freezes_at": _("This is before the freeze. Put the times in order."),
}
PAST: Texts = {
    "now": _("This time is in the past. Choose a time in the future, or leave it empty."),
    "freezes_at": _(
        "The time of the freeze has passed: %(at)s. Nobody could enter before it. Change the time "
        "in the draft or leave it empty, then open the registration."
    ),
    "starts_at": _(
        "The time of the start has passed: %(at)s. Nobody could enter before it. Change the time "
        "in the draft or leave it empty, then open the registration."
    ),
}

# Messages to owners and organizers.
MESSAGES: Texts = {
    "entered": _("%(by)s entered %(bot)s in %(tournament)s."),
    "entered_in_draft": _("The organizers of %(tournament)s entered %(bot)s."),
    "invited": _(
        "%(bot)s is invited to %(tournament)s. Accept or decline on the page of the tournament."
    ),
    "accepted": _("%(bot)s accepted the invitation to %(tournament)s and is entered."),
    "declined": _("%(bot)s declined the invitation to %(tournament)s."),
    "took_top": _(
        "%(bot)s was entered in %(tournament)s because it is one of the best of the ladder."
    ),
    "version_chosen:one": _("%(by)s chose version %(version)s of %(bot)s for %(tournament)s."),
    "version_chosen:active": _(
        "%(by)s decided that %(bot)s plays %(tournament)s with the version that is active at the "
        "freeze."
    ),
    "list_changed": _("A list by %(by)s changed the entry of %(bot)s in %(tournament)s."),
    "list_version:one": _("The bot now plays with version %(version)s."),
    "list_version:active": _("The bot now plays with the version that is active at the freeze."),
    "list_seed:one": _("Its seed is now %(seed)s."),
    "list_seed:none": _("It has no seed yet."),
    "may_choose": _(
        "Until the freeze you can choose another version on the page of the tournament."
    ),
    "taken_out": _("%(by)s took %(bot)s out of %(tournament)s."),
    "reason:given": _("Reason: %(why)s"),
    "reason:none": _("No reason was given."),
    "ask_organizers": _("Ask the organizers if it should play all the same."),
    "withdrew": _("%(bot)s withdrew from %(tournament)s after round %(round)s."),
    "started": _("The tournament %(tournament)s begins. Your bots in it play now."),
    "released": _("The tournament %(tournament)s is over, and all its results are public."),
    "completed": _("%(tournament)s has ended. Release it when everybody may see all of it."),
    "cancelled": _("The tournament %(tournament)s was cancelled: %(why)s"),
    "organizer_added": _("You are now an organizer of %(tournament)s, together with %(by)s."),
    "given_up": ngettext_lazy(
        "%(tournament)s is paused: match %(match)s failed %(times)s time (%(why)s). Remove the "
        "cause, then resume the tournament: the match is played again.",
        "%(tournament)s is paused: match %(match)s failed %(times)s times (%(why)s). Remove the "
        "cause, then resume the tournament: the match is played again.",
        "times",
    ),
    "cannot_play": _(
        "%(tournament)s: the version of %(bot)s can no longer play, so its current pairing is "
        "lost. Substitute another version, or withdraw the bot."
    ),
    "defect": _(
        "%(tournament)s does not continue by itself, because the site has a defect. Ask the "
        "operator of the site."
    ),
    "stuck": _("%(tournament)s could not continue by itself. %(why)s"),
    "news": _("%(tournament)s: %(text)s"),
    "fell_back": _(
        "Version %(chosen)s of %(bot)s could not be frozen for %(tournament)s, because it is no "
        "longer ready. The active version %(version)s plays instead."
    ),
    "dropped": _(
        "%(bot)s was removed from %(tournament)s: at the freeze it had no version that is ready "
        "and plays this game. Ask the organizers if you may enter late."
    ),
}

UNPLAYABLE_WITH = ngettext_lazy(
    "This cannot be played with %(entrants)s entrant. %(why)s",
    "This cannot be played with %(entrants)s entrants. %(why)s",
    "entrants",
)
DELETED_ENTRANT = _("a deleted bot")
FROZEN_ENTRANT = _("%(seed)s. %(name)s v%(version)s (%(digest)s)")
GROUP = _("%(letter)s: %(entrants)s")
