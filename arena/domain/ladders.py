"""Which ladders there are, and who is on which."""

from typing import Any

from django.db import transaction
from django.db.models import Q

from arena.domain import bots, elo
from arena.models import Bot, Entrant, Ladder, Version
from engine import registry
from engine.seating import entrant_counts
from engine.variant import Variant

IN_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def seed() -> list[Ladder]:
    """Make the ladders that are missing, with default options and clock; gives the new ones.

    Every variant has one for matches with an entrant a side, and where its sides have several seats
    one more with an entrant a seat. A short name that is taken is left to whoever took it.
    """
    made = []
    for variant in registry.variants().values():
        for entrants in entrant_counts(variant):
            wanted = _standard(variant, entrants)
            same = Q(variant=wanted.variant, entrants_per_match=entrants)
            if not Ladder.objects.filter(same | Q(slug=wanted.slug)).exists():
                wanted.save()
                made.append(wanted)
    if made:
        admit_ready()
    return made


def _standard(variant: Variant[Any], entrants: int) -> Ladder:
    """Give the ladder of a variant for so many entrants, not saved."""
    ladder = Ladder(
        slug=variant.slug,
        name=variant.title,
        variant=variant.name,
        entrants_per_match=entrants,
    )
    if entrants != len(variant.sides):
        ladder.slug += f"-{entrants}"
        ladder.name += f", {IN_WORDS.get(entrants, entrants)} players"
    return ladder


def admit_ready() -> None:
    """Put every ready version on the open ladders it plays: for ladders made or opened since."""
    for version in Version.objects.filter(status=Version.Status.READY):
        enter(version=version)


def open_to(*, version: Version) -> list[Ladder]:
    """Give the open ladders of the variants that the version plays."""
    return [
        ladder
        for ladder in Ladder.objects.filter(is_open=True)
        if version.plays(ladder.variant_slug)
    ]


def enter(*, version: Version) -> list[Entrant]:
    """Put a ready version on every ladder it plays, in place of the bot's older one.

    The bot's number is inherited and its count of games starts again, so it is provisional. The
    newest ready version is the active one: an older one that is ready late is retired at once.
    Closed ladders stay as they are.
    """
    with transaction.atomic():
        bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
        active = bot.active_version
        if active is not None and active.number > version.number:
            Version.objects.filter(pk=version.pk).update(status=Version.Status.RETIRED)
            return []
        bot.active_version = version
        bot.save(update_fields=["active_version"])
        bots.retire_older(version=version)
        played = open_to(version=version)
        left = Entrant.objects.filter(bot=bot, ladder__is_open=True).exclude(ladder__in=played)
        left.update(active=False)
        return [_enter(ladder, version) for ladder in played]


def _enter(ladder: Ladder, version: Version) -> Entrant:
    # The lock orders this with the matches of the bot that finish meanwhile.
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    entrant, made = Entrant.objects.get_or_create(
        ladder=ladder,
        bot_id=version.bot_id,
        defaults={"version": version, "rating": elo.START},
    )
    if not made and entrant.version_id != version.pk:
        entrant.version = version
        entrant.games = entrant.wins = entrant.draws = entrant.losses = 0
    entrant.active = True
    entrant.save()
    return entrant
