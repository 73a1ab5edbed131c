"""Which ladders there are, and who is on which."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from arena.domain.ratings import elo, rating_events
from arena.models import Bot, Entrant, Ladder, Version, VersionStatus
from engine import registry
from engine.seating import entrant_counts
from engine.variant import Variant

IN_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def seed() -> list[Ladder]:
    """Make the ladders that are missing, with default options and clock; return the new ones.

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
    """Return the ladder of a variant for so many entrants, not saved."""
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
    """Put every bot's active version on the open ladders it plays: for ladders opened since."""
    for bot in Bot.objects.filter(active_version__isnull=False).select_related("active_version"):
        if bot.active_version is not None:
            enter(version=bot.active_version)


def open_to(*, version: Version) -> list[Ladder]:
    """Return the open ladders of the variants that the version plays."""
    return [
        ladder
        for ladder in Ladder.objects.filter(is_open=True)
        if version.plays(ladder.variant_slug)
    ]


def enter(*, version: Version) -> list[Entrant]:
    """Put a version on every open ladder it plays, in place of the bot's other one.

    The bot's number is inherited. The counts are the version's own, so that one which comes back
    goes on where it was, and a new one is provisional. Closed ladders stay as they are.
    """
    with transaction.atomic():
        played = open_to(version=version)
        entered = Entrant.objects.filter(bot=version.bot_id, ladder__is_open=True)
        lock(ladders=[*(row.pk for row in played), *entered.values_list("ladder", flat=True)])
        Bot.objects.filter(pk=version.bot_id).update(active_version=version)
        entered.exclude(ladder__in=played).update(active=False)
        return [_enter(ladder, version) for ladder in played]


def leave(*, bot: Bot) -> None:
    """Take the bot off every ladder; its numbers stay and are inherited when it comes back."""
    with transaction.atomic():
        lock(ladders=bot.entries.values_list("ladder", flat=True))
        Bot.objects.filter(pk=bot.pk).update(active_version=None)
        bot.entries.update(active=False)


def willing(*, ladder: Ladder, besides: Bot) -> QuerySet[Entrant]:
    """Return the entrants of others that can be asked for an unrated match; versions loaded."""
    return (
        Entrant.objects.filter(
            ladder=ladder,
            active=True,
            bot__is_paused=False,
            bot__accepts_challenges=True,
            version__status=VersionStatus.READY,
            version__paused_at=None,
        )
        .exclude(bot=besides)
        .select_related("version")
    )


def lock(*, ladders: Iterable[int]) -> None:
    """Hold ladders, by their rows, until the transaction ends.

    Every transaction that holds a ladder and a bot takes them in the order of this module: ladders
    by their rows, then the bot. It orders this with the matches of the bot that finish meanwhile.
    """
    rows = Ladder.objects.select_for_update(no_key=True).filter(pk__in=set(ladders))
    list(rows.order_by("pk").values_list("pk", flat=True))


def _enter(ladder: Ladder, version: Version) -> Entrant:
    entrant, made = Entrant.objects.get_or_create(
        ladder=ladder,
        bot_id=version.bot_id,
        defaults={"version": version, "rating": elo.START},
    )
    if not made and entrant.version_id != version.pk:
        entrant.version = version
        entrant.estimate = entrant.estimate_low = entrant.estimate_high = None
        entrant.tie_band = None
        counts = rating_events.counts_of(ladder=ladder, version_id=version.pk)
        for name, count in counts.items():
            setattr(entrant, name, count)
    entrant.active = True
    entrant.save()
    return entrant
