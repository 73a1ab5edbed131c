"""Whether a tournament can be played on its terms, field by field."""

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.formats import catalogue, scoring, tiebreaks
from arena.domain.formats.base import Format
from arena.domain.formats.types import RoundOutline, Setup, Unplayable
from arena.domain.tournaments import log, snapshot, times
from arena.models import EntryPolicy, Tournament
from arena.texts import lists

Errors = dict[str, list[str]]

LONGEST_DESCRIPTION = 5000  # characters, the limit of the column
MOST_ENTRANTS = 1024
MOST_MATCHES = 100  # in a pairing
_NUMBERS = (
    "min_entrants",
    "max_entrants",
    "max_per_owner",
    "top_n",
    "matches_per_pairing",
    "last_entry_round",
    "entry_policy",
)
_OWN_CHECKS = ("created_by", "organizers", "rehearsal_of")


def check(*, tournament: Tournament, changed: Collection[str]) -> Errors:
    """Return the errors of an unsaved tournament by field; empty if there are none.

    Only `changed` times are compared with the present.
    """
    errors = _of_fields(tournament)
    rules = [_of_rules(tournament), times.faults(tournament=tournament, changed=changed)]
    if not errors.keys() & set(_NUMBERS):
        rules.append(_of_numbers(tournament))
    for said in rules:
        for name, texts in said.items():
            errors.setdefault(name, []).extend(texts)
    return errors or _of_play(tournament)


def check_plain(*, tournament: Tournament, changed: Collection[str]) -> Errors:
    """Return the errors of the fields that can still be edited after the freeze."""
    errors = _of_fields(tournament)
    for name, said in times.faults(tournament=tournament, changed=changed).items():
        errors.setdefault(name, []).extend(said)
    return errors


def complete_options(*, tournament: Tournament) -> object:
    """Return the options of the format with their defaults. Return invalid options as they are."""
    given: object = tournament.format_options
    format_ = catalogue.FORMATS.get(tournament.format)
    if format_ is None or not isinstance(given, dict):
        return given
    switches = {option.name for option in format_.options if option.is_switch}
    return {option.name: option.default for option in format_.options} | {
        name: int(value) if name in switches and isinstance(value, bool) else value
        for name, value in given.items()
    }


def outline(*, tournament: Tournament, entrants: int) -> tuple[Setup, tuple[RoundOutline, ...]]:
    """Return the setup and the rounds for this number of entrants.

    Raise Unplayable, also for more than MOST_ENTRANTS: a bracket costs more with each entrant.
    """
    if entrants > MOST_ENTRANTS:
        raise Unplayable("too_many_entrants", most=MOST_ENTRANTS, entrants=entrants)
    setup = snapshot.setup_of(tournament=tournament)
    format_ = catalogue.find(tournament.format)
    format_.check(setup, entrants)
    return setup, format_.outline(setup, entrants)


def _of_fields(tournament: Tournament) -> Errors:
    try:
        tournament.clean_fields(exclude=_OWN_CHECKS)
    except ValidationError as exc:
        errors = {name: list(said) for name, said in exc.message_dict.items()}
    else:
        errors = {}
    if len(tournament.description) > LONGEST_DESCRIPTION:
        said = _("A description has at most %(most)d characters. This one has %(has)d. Shorten it.")
        numbers = {"most": LONGEST_DESCRIPTION, "has": len(tournament.description)}
        errors["description"] = [said % numbers]
    for name in times.TIMES:
        at = getattr(tournament, name)
        if isinstance(at, datetime) and timezone.is_naive(at):
            setattr(tournament, name, timezone.make_aware(at))
    return errors


def _of_numbers(tournament: Tournament) -> Errors:
    least, most = tournament.min_entrants, tournament.max_entrants
    errors: Errors = {}
    if least < 2:  # noqa: PLR2004 - a pairing needs two
        errors["min_entrants"] = [_("A tournament needs at least two entrants. Choose 2 or more.")]
    if most > MOST_ENTRANTS:
        said = _("A tournament has at most %(most)d entrants. Choose a smaller number.")
        errors["max_entrants"] = [said % {"most": MOST_ENTRANTS}]
    elif most < least:
        said = _("This is smaller than the fewest entrants, %(least)d. Choose a larger number.")
        errors["max_entrants"] = [said % {"least": least}]
    if tournament.max_per_owner is not None and not 1 <= tournament.max_per_owner <= most:
        said = _("Choose a number between 1 and %(most)d, or leave it empty for no limit.")
        errors["max_per_owner"] = [said % {"most": most}]
    if top := _of_top(tournament):
        errors["top_n"] = [top]
    if not 1 <= tournament.matches_per_pairing <= MOST_MATCHES:
        said = _("A pairing has 1 to %(most)d matches.")
        errors["matches_per_pairing"] = [said % {"most": MOST_MATCHES}]
    return errors


def _of_top(tournament: Tournament) -> str:
    least, most = tournament.min_entrants, tournament.max_entrants
    if tournament.entry_policy != EntryPolicy.LADDER:
        return ""
    if tournament.top_n is None:
        return _("Choose how many bots of the ladder are entered.")
    if not least <= tournament.top_n <= most:
        said = _(
            "Take between %(least)d and %(most)d bots of the ladder, the limits of this tournament."
        )
        return said % {"least": least, "most": most}
    return ""


def _of_rules(tournament: Tournament) -> Errors:
    errors: Errors = {}
    try:
        format_ = catalogue.find(tournament.format)
    except Unplayable as exc:
        return {"format": [log.why_not(exc=exc)]}
    if options := _of_options(format_, tournament.format_options):
        errors["format_options"] = options
    try:
        scoring.find(tournament.scoring)
    except Unplayable as exc:
        errors["scoring"] = [log.why_not(exc=exc)]
    slugs = tournament.tie_breaks
    try:
        tiebreaks.check(
            [str(slug)[:40] for slug in (slugs if isinstance(slugs, list) else [slugs])]
        )
    except Unplayable as exc:
        errors["tie_breaks"] = [log.why_not(exc=exc)]
    if tournament.last_entry_round not in (0, "0") and not format_.takes_late_entries:
        said = _(
            "In this format nobody can enter late. Choose 0, or one of these formats: %(known)s."
        )
        known = [_(each.label) for each in catalogue.FORMATS.values() if each.takes_late_entries]
        errors["last_entry_round"] = [said % {"known": lists.one_of(known)}]
    return errors


def _of_options(format_: Format, given: object) -> list[str]:
    if not isinstance(given, dict):
        return [_("Options are an object of names and whole numbers.")]
    known = {option.name: option for option in format_.options}
    said = []
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            words_ = _("The format has no option “%(name)s”; it has: %(known)s.")
            names = lists.all_of(known) or _("none")
            said.append(words_ % {"name": str(name)[:40], "known": names})
        elif (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not option.least <= value <= option.most
        ):
            words_ = _("“%(name)s” is a whole number from %(least)d to %(most)d.")
            said.append(words_ % {"name": name, "least": option.least, "most": option.most})
    return said


def _of_play(tournament: Tournament) -> Errors:
    """Return the errors of the ladder, the numbers of entrants and the number of games."""
    errors: Errors = {}
    try:
        tournament.ladder.clean()
    except ValidationError as exc:
        said = _("The ladder cannot seat its matches: %(why)s. Choose another one.")
        return {"ladder": [said % {"why": " ".join(exc.messages)}]}
    for name in ("min_entrants", "max_entrants"):
        entrants = getattr(tournament, name)
        try:
            outline(tournament=tournament, entrants=entrants)
        except Unplayable as exc:
            errors[name] = [log.why_not(exc=exc, entrants=entrants)]
    return errors or _of_size(tournament)


def _of_size(tournament: Tournament) -> Errors:
    setup, rounds = outline(tournament=tournament, entrants=tournament.max_entrants)
    games = sum(each.pairings for each in rounds) * setup.games
    if games > settings.TOURNAMENT_MAX_GAMES:
        said = ngettext(
            "With %(entrants)d entrants that would be %(games)d game. The maximum is %(most)d. "
            "Allow fewer entrants, or fewer matches in a pairing.",
            "With %(entrants)d entrants that would be %(games)d games. The maximum is %(most)d."
            " Allow fewer entrants, or fewer matches in a pairing.",
            games,
        )
        numbers = {
            "entrants": tournament.max_entrants,
            "games": games,
            "most": settings.TOURNAMENT_MAX_GAMES,
        }
        return {"max_entrants": [said % numbers]}
    if tournament.last_entry_round > len(rounds):
        said = ngettext(
            "There is only %(rounds)d round, so late entry cannot end after it.",
            "There are only %(rounds)d rounds, so late entry cannot end after the last.",
            len(rounds),
        )
        return {"last_entry_round": [said % {"rounds": len(rounds)}]}
    return {}
