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


def check(*, tournament: Tournament, changed: Collection[str]) -> Errors:
    """Return the errors of an unsaved tournament by field; empty if there are none.

    Only `changed` times are compared with the present.
    """
    errors = _of_fields(tournament)
    rules = [_of_rules(tournament), times.faults(tournament=tournament, changed=changed)]
    if not errors.keys() & set(_NUMBERS):
        rules.append(_of_numbers(tournament))
    for faults in rules:
        for name, texts in faults.items():
            errors.setdefault(name, []).extend(texts)
    return errors or _of_play(tournament)


def check_plain(*, tournament: Tournament, changed: Collection[str]) -> Errors:
    """Return the errors of the fields that can still be edited after the freeze."""
    errors = _of_fields(tournament)
    for name, texts in times.faults(tournament=tournament, changed=changed).items():
        errors.setdefault(name, []).extend(texts)
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
        tournament.clean_fields(exclude=("created_by", "organizers", "rehearsal_of"))
    except ValidationError as exc:
        errors = {name: list(texts) for name, texts in exc.message_dict.items()}
    else:
        errors = {}
    if len(tournament.description) > LONGEST_DESCRIPTION:
        text = _("A description has at most %(most)d characters. This one has %(has)d. Shorten it.")
        numbers = {"most": LONGEST_DESCRIPTION, "has": len(tournament.description)}
        errors["description"] = [text % numbers]
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
        text = _("A tournament has at most %(most)d entrants. Choose a smaller number.")
        errors["max_entrants"] = [text % {"most": MOST_ENTRANTS}]
    elif most < least:
        text = _("This is smaller than the fewest entrants, %(least)d. Choose a larger number.")
        errors["max_entrants"] = [text % {"least": least}]
    if tournament.max_per_owner is not None and not 1 <= tournament.max_per_owner <= most:
        text = _("Choose a number between 1 and %(most)d, or leave it empty for no limit.")
        errors["max_per_owner"] = [text % {"most": most}]
    if tournament.entry_policy == EntryPolicy.LADDER:
        if tournament.top_n is None:
            errors["top_n"] = [_("Choose how many bots of the ladder are entered.")]
        elif not least <= tournament.top_n <= most:
            text = _(
                "Take between %(least)d and %(most)d bots of the ladder, the limits of this"
                " tournament."
            )
            errors["top_n"] = [text % {"least": least, "most": most}]
    if not 1 <= tournament.matches_per_pairing <= MOST_MATCHES:
        text = _("A pairing has 1 to %(most)d matches.")
        errors["matches_per_pairing"] = [text % {"most": MOST_MATCHES}]
    return errors


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
        text = _(
            "In this format nobody can enter late. Choose 0, or one of these formats: %(known)s."
        )
        known = [_(kind.label) for kind in catalogue.FORMATS.values() if kind.takes_late_entries]
        errors["last_entry_round"] = [text % {"known": lists.one_of(known)}]
    return errors


def _of_options(format_: Format, given: object) -> list[str]:
    if not isinstance(given, dict):
        return [_("Options are an object of names and whole numbers.")]
    known = {option.name: option for option in format_.options}
    errors = []
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            words_ = _("The format has no option “%(name)s”; it has: %(known)s.")
            names = lists.all_of(known) or _("none")
            errors.append(words_ % {"name": str(name)[:40], "known": names})
        elif (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not option.least <= value <= option.most
        ):
            words_ = _("“%(name)s” is a whole number from %(least)d to %(most)d.")
            errors.append(words_ % {"name": name, "least": option.least, "most": option.most})
    return errors


def _of_play(tournament: Tournament) -> Errors:
    """Return the errors of the ladder, the numbers of entrants and the number of games."""
    errors: Errors = {}
    try:
        tournament.ladder.clean()
    except ValidationError as exc:
        text = _("The ladder cannot seat its matches: %(why)s. Choose another one.")
        return {"ladder": [text % {"why": " ".join(exc.messages)}]}
    for name in ("min_entrants", "max_entrants"):
        entrants = getattr(tournament, name)
        try:
            outline(tournament=tournament, entrants=entrants)
        except Unplayable as exc:
            errors[name] = [log.why_not(exc=exc, entrants=entrants)]
    return errors or _of_size(tournament)


def _of_size(tournament: Tournament) -> Errors:
    setup, rounds = outline(tournament=tournament, entrants=tournament.max_entrants)
    games = sum(row.pairings for row in rounds) * setup.games
    if games > settings.TOURNAMENT_MAX_GAMES:
        text = ngettext(
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
        return {"max_entrants": [text % numbers]}
    if tournament.last_entry_round > len(rounds):
        text = ngettext(
            "There is only %(rounds)d round, so late entry cannot end after it.",
            "There are only %(rounds)d rounds, so late entry cannot end after the last.",
            len(rounds),
        )
        return {"last_entry_round": [text % {"rounds": len(rounds)}]}
    return {}
