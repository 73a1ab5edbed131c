"""The bots of rehearsals: house bots, owned by an inactive user.

They are the site's own programs. So a rehearsal runs no user's bot without permission, needs no
copy of one as a twin, and is possible on a site without bots. They are on no ladder and have passed
no checks: every isolation level trusts them by their digest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from arena.domain.bots import languages
from arena.models import REHEARSAL_OWNER, Bot, User, Version, VersionArchive, VersionStatus
from botkit.manifest import Manifest
from botkit.package import Package, pack, read_folder

QUITTER = "rehearsal/quitter"  # the folder of the house bot that crashes
OTHERS = 2  # house bots besides the twins


@dataclass(frozen=True, slots=True)
class HouseBotFolder:
    """A house bot: the name of its folder, its files, and the zip that stands for its upload."""

    slug: str
    package: Package
    archive: bytes

    @property
    def manifest(self) -> Manifest:
        """Its name, language, entry and variants."""
        return self.package.manifest


@dataclass(frozen=True, slots=True)
class RehearsalBots:
    """The bots of a rehearsal: two bots of one program, one that crashes, and others."""

    twins: tuple[Version, Version]
    quitter: Version
    others: tuple[Version, ...]


def houses(*, variant: str) -> list[HouseBotFolder]:
    """Return the house bots that play a variant, those with the most variants first."""
    folder = Path(settings.HOUSE_BOTS_DIR)
    bots = [_read(path.parent) for path in sorted(folder.glob("*/drapeau.toml"))]
    playing = [
        house
        for house in bots
        if variant in house.manifest.variants and not languages.is_compiled(house.manifest.language)
    ]
    return sorted(playing, key=lambda house: (-len(house.manifest.variants), house.slug))


def quitter() -> HouseBotFolder:
    """Return the house bot that crashes."""
    return _read(Path(settings.HOUSE_BOTS_DIR) / QUITTER)


@transaction.atomic
def gather(*, variant: str, others: int = OTHERS) -> RehearsalBots:
    """Return the bots of a rehearsal. Create those that do not exist yet.

    If there are fewer than `others` further house bots, use more copies of the same programs. At
    least one house bot must play the variant.
    """
    User.objects.get_or_create(
        username=REHEARSAL_OWNER, defaults={"is_active": False, "password": "!"}
    )
    # Lock the owner, so that no bot is created twice.
    owner = User.objects.select_for_update(no_key=True).get(username=REHEARSAL_OWNER)
    pool = houses(variant=variant)
    first, second = _version(owner, pool[0], 1), _version(owner, pool[0], 2)
    rest = [_version(owner, house, copy) for house, copy in _further(pool, others)]
    return RehearsalBots((first, second), _version(owner, quitter(), 1), tuple(rest))


def is_quitter(*, version: Version) -> bool:
    """Return whether this is the version that crashes."""
    return version.bot.owner.username == REHEARSAL_OWNER and version.bot.slug == Path(QUITTER).name


def _further(pool: Sequence[HouseBotFolder], count: int) -> list[tuple[HouseBotFolder, int]]:
    """Return `count` bots besides the twins: every other house bot first, then copies of all."""
    spread = [(house, 1) for house in pool[1:]]
    copy = 2
    while len(spread) < count:
        spread += [(house, copy) for house in pool if (house, copy) != (pool[0], 2)]
        copy += 1
    return spread[:count]


def _version(owner: User, house: HouseBotFolder, copy: int) -> Version:
    slug = house.slug if copy == 1 else f"{house.slug}-{copy}"
    name = house.slug.capitalize() if copy == 1 else f"{house.slug.capitalize()} {copy}"
    bot, _is_new = Bot.objects.get_or_create(
        owner=owner, slug=slug, defaults={"name": name, "accepts_challenges": False}
    )
    digest = house.package.digest
    version = bot.versions.ready().filter(digest=digest).first()
    return version or _upload(bot, house, digest)


def _upload(bot: Bot, house: HouseBotFolder, digest: str) -> Version:
    data = house.archive
    newest: int | None = bot.versions.aggregate(newest=Max("number"))["newest"]
    version = Version.objects.create(
        bot=bot,
        number=(newest or 0) + 1,
        digest=digest,
        filename=f"{house.slug}.zip",
        size_bytes=len(data),
        language=house.manifest.language,
        variants=list(house.manifest.variants),
        status=VersionStatus.READY,
    )
    VersionArchive.objects.create(version=version, data=data)
    return version


def _read(folder: Path) -> HouseBotFolder:
    return HouseBotFolder(folder.name, read_folder(folder), pack(folder))
