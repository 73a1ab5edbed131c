"""Tournaments for tests, made through the domain."""

import itertools
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.errors import InvalidInput, Refused
from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.setup import drafts
from arena.models import Tournament, TournamentEntrant, TournamentLogEntry, TournamentRound
from tests import factories

_numbers = itertools.count(1)
PLAIN = {"ladder": "classic", "format": "round_robin", "min_entrants": 2, "max_entrants": 8}


def values(**changed):
    return {"name": f"Cup {next(_numbers)}", **PLAIN, **changed}


def make_draft(by=None, **changed):
    """Return a draft; `by` is its organizer, who is no staff."""
    return drafts.create(by=by or factories.make_user(), values=values(**changed))


def make_open(by=None, **changed):
    """Return one that bots may enter."""
    draft = make_draft(by, **changed)
    return stages.open_registration(tournament=draft, by=organizer(draft))


def make_frozen(bots=3, **changed):
    """Return one with so many entrants whose versions are frozen."""
    tournament = make_open(**changed)
    enter_many(tournament, bots)
    return stages.freeze(tournament=tournament, by=organizer(tournament))


def make_running(bots=3, rounds=0, **changed):
    """Return one that is being played, with so many empty rounds."""
    tournament = make_frozen(bots, **changed)
    tournament = stages.start(tournament=tournament, by=organizer(tournament))
    for number in range(1, rounds + 1):
        TournamentRound.objects.create(tournament=tournament, number=number, release="public")
    return tournament


def organizer(tournament):
    return tournament.organizers.get()


def enter(tournament, whose=None, **chosen):
    """Enter a bot by its owner: a new one, or that of a version or an entrant."""
    bot = (whose or factories.make_ready()).bot
    bot.refresh_from_db()
    return entries.enter(tournament=tournament, bot=bot, by=bot.owner, **chosen)


def ready_for(tournament, count):
    """Return the versions of so many new bots that can enter."""
    variant = tournament.ladder.variant_slug
    variants = factories.DUELS if variant in factories.DUELS else (variant,)
    return factories.make_many_ready(count, variants) if count else []


def enter_many(tournament, count):
    """Write so many entrants of new owners, as they would have entered themselves."""
    entrants = TournamentEntrant.objects.bulk_create(
        TournamentEntrant(tournament=tournament, bot=each.bot, entered_by=each.bot.owner)
        for each in ready_for(tournament, count)
    )
    TournamentLogEntry.objects.bulk_create(
        TournamentLogEntry(
            tournament=tournament,
            action="entered",
            by=each.entered_by,
            details={"entrant": each.pk},
            revision=tournament.revision,
            is_rehearsal=False,
        )
        for each in entrants
    )


def fresh(tournament):
    return Tournament.objects.select_related("ladder").get(pk=tournament.pk)


def log(tournament):
    return list(tournament.log.order_by("pk").values_list("action", flat=True))


def refusal(act, **arguments):
    """Return the code of what is refused, and its words."""
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code, refused.value.message


def faults(act, **arguments):
    """Return what is wrong with the input, by field."""
    with pytest.raises(InvalidInput) as refused:
        act(**arguments)
    return refused.value.errors


def rated(rating, owner=None):
    """Return a bot with this number on the ladder."""
    bot = factories.make_ready(factories.make_bot(owner)).bot
    bot.entries.filter(ladder__slug="classic").update(rating=rating, best_rank=1)
    bot.refresh_from_db()
    return bot


def try_to_enter(tournament, whose=None, **arguments):
    """Return the code with which an entry is refused, and its words."""
    bot = (whose or factories.make_ready()).bot
    bot.refresh_from_db()
    given = {"tournament": tournament, "bot": bot, "by": bot.owner, **arguments}
    return refusal(entries.enter, **given)


def ahead(**given):
    return timezone.now() + timedelta(**given)
