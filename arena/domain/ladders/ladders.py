"""Ladders and their entrants."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet

from arena.domain.ratings import rating_events, refits
from arena.models import Bot, Entrant, Ladder, Version
from engine import registry
from engine.seating import entrant_counts

IN_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def seed() -> list[Ladder]:
    """Create the missing ladders, with default options and clock. Return the new ladders.

    Every variant has a ladder with one entrant per side. If its sides have several seats, it has
    another ladder with one entrant per seat. A ladder whose slug is taken is not created.
    """
    new = []
    for variant in registry.variants().values():
        for entrants in entrant_counts(variant):
            wanted = Ladder(
                slug=variant.slug,
                name=variant.title,
                variant=variant.name,
                entrants_per_match=entrants,
            )
            if entrants != len(variant.sides):
                wanted.slug += f"-{entrants}"
                wanted.name += f", {IN_WORDS.get(entrants, entrants)} players"
            same = Q(variant=wanted.variant, entrants_per_match=entrants, is_remote=False)
            if not Ladder.objects.filter(same | Q(slug=wanted.slug)).exists():
                wanted.save()
                new.append(wanted)
    if new:
        admit_ready()
    return new


def admit_ready() -> None:
    """Enter every bot's active version on the open ladders that it plays, such as new ladders."""
    for bot in Bot.objects.filter(active_version__isnull=False).select_related("active_version"):
        if bot.active_version is not None:
            enter(version=bot.active_version)


def open_to(*, version: Version) -> list[Ladder]:
    """Return the open ladders of the variants that the version plays, from where it does."""
    return [ladder for ladder in Ladder.objects.filter(is_open=True) if ladder.takes(version)]


def enter(*, version: Version) -> list[Entrant]:
    """Enter a version on every open ladder that it plays, in place of the bot's previous version.

    The counts are those of the version, so an older version gets its earlier counts back. The next
    fit rates the version. Closed ladders do not change.
    """
    with transaction.atomic():
        played = open_to(version=version)
        entered = Entrant.objects.filter(bot=version.bot_id, ladder__is_open=True)
        lock(ladders=[*(row.pk for row in played), *entered.values_list("ladder", flat=True)])
        Bot.objects.filter(pk=version.bot_id).update(active_version=version)
        Entrant.objects.filter(bot=version.bot_id).lock()  # so that none of its matches finishes
        entered.exclude(ladder__in=played).update(active=False)
        return [_enter(ladder, version) for ladder in played]


def leave(*, bot: Bot) -> None:
    """Remove the bot from every ladder. It keeps its ratings for when it comes back."""
    with transaction.atomic():
        lock(ladders=bot.entries.values_list("ladder", flat=True))
        Bot.objects.filter(pk=bot.pk).update(active_version=None)
        bot.entries.lock()
        bot.entries.update(active=False)


def willing(*, ladder: Ladder, besides: Bot) -> QuerySet[Entrant]:
    """Return the other entrants that accept an unrated match, with their versions."""
    able = ladder.entrants.able().filter(bot__accepts_challenges=True)
    return able.exclude(bot=besides).select_related("version")


def lock(*, ladders: Iterable[int]) -> None:
    """Lock ladders, given by id, until the transaction ends.

    Every transaction uses the same order: ladders by id, then the bot, then entrants by id. A match
    that finishes locks its entrants, and no ladder.
    """
    rows = Ladder.objects.select_for_update(no_key=True).filter(pk__in=set(ladders))
    list(rows.order_by("pk").values_list("pk", flat=True))


def _enter(ladder: Ladder, version: Version) -> Entrant:
    entrant, is_new = Entrant.objects.get_or_create(
        ladder=ladder, bot_id=version.bot_id, defaults={"version": version}
    )
    changed = {"active"}
    if not is_new and entrant.version_id != version.pk:
        entrant.version = version
        for name in refits.COLUMNS:
            setattr(entrant, name, None)
        counts = rating_events.counts_of(ladder=ladder, version_id=version.pk)
        for name, count in counts.items():
            setattr(entrant, name, count)
        changed |= {"version", *refits.COLUMNS, *counts}
    entrant.active = True
    entrant.save(update_fields=changed)
    return entrant
