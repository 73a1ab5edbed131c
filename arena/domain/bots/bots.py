"""Bots, and uploads of versions until a runner checks them."""

import zipfile
from collections.abc import Iterable
from io import BytesIO
from itertools import count
from pathlib import PurePosixPath

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max, Prefetch, ProtectedError, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena import jobs
from arena.domain import refused_names, slugs
from arena.domain.accounts import quotas
from arena.domain.bots import activation, languages, look_alikes
from arena.domain.errors import InvalidInput, Refused
from arena.domain.matches import lifecycle
from arena.models import (
    REMOTE,
    Bot,
    CheckState,
    CheckStep,
    Entrant,
    MatchKind,
    User,
    Version,
    VersionArchive,
    VersionBuild,
    VersionCheck,
)
from arena.texts import lists
from botkit.package import UPLOAD_MAX_BYTES
from engine import registry

MAX_BOTS_PER_USER = 50
MAX_PENDING_PER_BOT = 3
PLAYED_ANYWAY = (MatchKind.LADDER, MatchKind.TOURNAMENT)  # though the bot is paused
UNRATED = tuple(kind for kind in MatchKind.values if kind not in PLAYED_ANYWAY)  # cancelled then


def listed() -> QuerySet[Bot]:
    """Return all bots except those of rehearsals, with their owners and their ladders."""
    entries = Entrant.objects.filter(active=True).select_related("ladder").order_by("ladder__slug")
    return Bot.objects.listed().prefetch_related(Prefetch("entries", queryset=entries))


def create(*, owner: User, name: str, slug: str = "", description: str = "") -> Bot:
    """Create a bot without versions. Raise InvalidInput or Refused."""
    if owner.bots.count() >= MAX_BOTS_PER_USER:
        raise Refused("too_many_bots", _("You have reached the limit of bots per user."))
    bot = Bot(
        owner=owner,
        name=name.strip(),
        slug=slug or _slug_of(name, owner),
        description=description.strip(),
    )
    _save_named(bot)
    return bot


def rename(*, bot: Bot, name: str) -> None:
    """Rename a bot, and make its short name anew. Raise InvalidInput."""
    bot.name = name.strip()
    bot.slug = _slug_of(name, bot.owner)
    _save_named(bot)


def edit(*, bot: Bot, name: str | None = None, description: str | None = None) -> Bot:
    """Change the name that is shown, the description or both; the address stays. Return the bot.

    Raise InvalidInput; then the row in memory has what was refused.
    """
    if name is not None:
        bot.name = name.strip()
    if description is not None:
        bot.description = description.strip()
    _save_named(bot)
    return bot


def delete(*, bot: Bot) -> None:
    """Delete a bot that has played no match, with its versions. Raise Refused for another one."""
    with transaction.atomic():
        row = Bot.objects.select_for_update().get(pk=bot.pk)
        activation.require_checked(bot=row)
        Bot.objects.filter(pk=bot.pk).update(active_version=None)
        try:
            row.entries.all().delete()
            VersionArchive.objects.filter(version__bot=row).delete()
            VersionBuild.objects.filter(version__bot=row).delete()
            row.versions.all().delete()
            row.delete()
        except ProtectedError as exc:
            text = _("It has played, and its matches stay. You can retire it instead.")
            raise Refused("has_played", text) from exc


def _slug_of(name: str, owner: User) -> str:
    """Return the short name that a name gets: a number if it has no letter and no digit."""
    if slug := slugs.of_name(name, model=Bot):
        return slug
    taken = set(owner.bots.values_list("slug", flat=True))
    return next(slug for slug in map("bot-{}".format, count(1)) if slug not in taken)


def _save_named(bot: Bot) -> None:
    """Save a bot with a new name. Raise InvalidInput."""
    if bot.slug == slugs.RESERVED:
        raise InvalidInput({"slug": [_("This short name is reserved.")]})
    refusals = {name: refused_names.error_of(getattr(bot, name)) for name in ("name", "slug")}
    if wrong := {name: [refusal] for name, refusal in refusals.items() if refusal}:
        raise InvalidInput(wrong if len(wrong) == 1 else {"name": wrong["name"]})
    if other := look_alikes.look_alike(name=bot.name, owner=bot.owner):
        text = _("This name looks like that of %(bot)s. Choose another one.") % {"bot": other}
        raise InvalidInput({"name": [text]})
    try:
        bot.full_clean(exclude=["active_version"])
        with transaction.atomic():
            bot.save()
    except ValidationError as exc:
        errors = dict(exc.message_dict)
        if errors.pop("__all__", None):  # the only constraint over several fields
            errors["slug"] = [_slug_taken()]
        raise InvalidInput(errors) from exc
    except IntegrityError as exc:  # the same request twice at once
        raise InvalidInput({"slug": [_slug_taken()]}) from exc


def submit_version(
    *, bot: Bot, filename: str, data: bytes, variants: Iterable[str] = ()
) -> Version:
    """Store an upload as the bot's next version and queue its validation.

    If `variants` is empty, the manifest names the variants, or else the version plays those whose
    checks it passes. Raise Refused, and store nothing, for an empty or too large file, a wrong
    extension, a language that the site does not run, an unknown variant or too many pending
    versions. Raise OverQuota if the quota is used up.
    """
    name, wanted = _check_file(filename, data), known_variants(variants)
    now = timezone.now()
    with transaction.atomic():
        quotas.check(user=bot.owner, kind=quotas.Quota.UPLOADS)
        locked = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
        if locked.versions.filter(language=REMOTE).exists():
            text = _("%(bot)s plays from home. Make another bot for what you upload.")
            raise Refused("remote_bot", text % {"bot": bot})
        if locked.versions.open().count() >= MAX_PENDING_PER_BOT:
            raise Refused(
                "too_many_pending",
                _("Earlier versions of this bot are still being checked. Wait until one is done."),
            )
        newest: int | None = locked.versions.aggregate(newest=Max("number"))["newest"]
        version = Version.objects.create(
            bot=bot,
            number=(newest or 0) + 1,
            filename=name,
            size_bytes=len(data),
            language=languages.of_upload(name),
            variants=wanted,
            queued_at=now,
            sent_at=now,
        )
        VersionArchive.objects.create(version=version, data=data)
        VersionCheck.objects.bulk_create(
            VersionCheck(version=version, step=step, position=position)
            for position, step in enumerate(CheckStep)
            if step != CheckStep.BUILT or languages.is_compiled(version.language)
        )
        version.checks.filter(step=CheckStep.RECEIVED).update(
            state=CheckState.PASSED,
            message=gettext_noop("%(name)s, %(size)d bytes.") % {"name": name, "size": len(data)},
        )
        jobs.enqueue(jobs.WAKE_RUNNER)
    return version


def known_variants(variants: Iterable[str]) -> list[str]:
    """Return the short names of variants, sorted. Raise Refused for one that is not there."""
    known, wanted = registry.variants(), sorted(set(variants))
    for slug in wanted:
        if slug not in known:
            raise Refused(
                "unknown_variant",
                _("There is no variant “%(slug)s”. The variants are: %(known)s.")
                % {"slug": slug, "known": lists.all_of(known)},
                field="variants",
            )
    return wanted


def configure(*, bot: Bot, gate_new_versions: bool) -> None:
    """Set whether a new version must win a trial before it plays."""
    Bot.objects.filter(pk=bot.pk).update(gate_new_versions=gate_new_versions)
    bot.gate_new_versions = gate_new_versions


def pause(*, bot: Bot) -> None:
    """Exclude the bot from matchmaking and cancel its unrated matches that no runner has begun.

    A rated match that was made is played: otherwise a pause would dodge an opponent. Tournament
    matches continue too, because the other entrants need these games.
    """
    with transaction.atomic():
        Bot.objects.filter(pk=bot.pk).update(is_paused=True)
        cancel_unrated(of=bot.versions.all(), reason=gettext_noop("The bot was paused."))
    bot.is_paused = True


def cancel_unrated(*, of: QuerySet[Version], reason: str) -> None:
    """Cancel the challenges, trials and probes of versions that no runner has begun."""
    lifecycle.cancel_waiting(of=of, reason=reason, kinds=UNRATED)


def resume(*, bot: Bot) -> None:
    """Include the bot in matchmaking again."""
    Bot.objects.filter(pk=bot.pk).update(is_paused=False)
    bot.is_paused = False


def _check_file(filename: str, data: bytes) -> str:
    name = PurePosixPath(filename.replace("\\", "/")).name.replace("\0", "")[-200:]
    if not data:
        raise Refused("empty_file", _("The file is empty."), field="file")
    if len(data) > UPLOAD_MAX_BYTES:
        raise Refused(
            "too_large",
            _("The file has %(size)d bytes. The limit is 5 MiB.") % {"size": len(data)},
            field="file",
        )
    if not name.lower().endswith(languages.EXTENSIONS):
        raise Refused(
            "wrong_extension",
            _("A bot is one %(suffixes)s file, or a .zip file.")
            % {"suffixes": languages.suffixes()},
            field="file",
        )
    if name.lower().endswith(".zip") and not zipfile.is_zipfile(BytesIO(data)):
        text = _("The name ends in .zip, but the file is no zip. Pack it again.")
        raise Refused("not_a_zip", text, field="file")
    played = [language.name for language in languages.played()]
    language = languages.of_upload(name)
    if language and language not in played:
        text = languages.not_played(name=language, known=played)
        raise Refused("no_runtime", text, field="file")
    return name


def _slug_taken() -> str:
    return _("You already have a bot at this address. Choose another name.")
