"""The bots of rehearsals: house bots, owned by an inactive user.

They are the site's own programs. So a rehearsal runs no user's bot without permission, needs no
copy of one as a twin, and is possible on a site without bots. They are on no ladder and have passed
no checks: every isolation level trusts them by their digest.
"""

import hashlib
import io
import json
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from arena.domain.bots import languages
from arena.models import Bot, User, Version, VersionArchive, VersionStatus

OWNER = "rehearsal_"  # users cannot sign up with it, because names cannot end with "_"
QUITTER = "rehearsal/quitter"  # the folder of the house bot that crashes
OTHERS = 2  # house bots besides the twins
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip, so that equal files give equal bytes


@dataclass(frozen=True, slots=True)
class HouseBotFolder:
    """The folder of a house bot: its files by path, its language, and its variants."""

    slug: str
    files: Mapping[str, bytes]
    language: str
    variants: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The digest of the files, as in `sandbox.uploads.package`, which `web` cannot import."""
        whole = hashlib.sha256()
        for path in sorted(self.files):
            content = hashlib.sha256(self.files[path]).hexdigest()
            whole.update(json.dumps([path, content]).encode() + b"\n")
        return whole.hexdigest()

    @property
    def archive(self) -> bytes:
        """The files as a zip archive, like an upload."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(self.files):
                packed.writestr(zipfile.ZipInfo(path, date_time=EPOCH), self.files[path])
        return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Cast:
    """The bots of a rehearsal: two bots of one program, one that crashes, and others."""

    twins: tuple[Version, Version]
    quitter: Version
    others: tuple[Version, ...]


def houses(*, variant: str) -> list[HouseBotFolder]:
    """Return the house bots that play a variant, those with the most variants first."""
    folder = Path(settings.HOUSE_BOTS_DIR)
    found = [_read(each.parent) for each in sorted(folder.glob("*/drapeau.toml"))]
    playing = [
        house
        for house in found
        if variant in house.variants and not languages.is_compiled(house.language)
    ]
    return sorted(playing, key=lambda house: (-len(house.variants), house.slug))


def quitter() -> HouseBotFolder:
    """Return the house bot that crashes."""
    return _read(Path(settings.HOUSE_BOTS_DIR) / QUITTER)


@transaction.atomic
def cast(*, variant: str, others: int = OTHERS) -> Cast:
    """Return the bots of a rehearsal. Create those that do not exist yet.

    If there are fewer than `others` further house bots, use more copies of the same programs. At
    least one house bot must play the variant.
    """
    User.objects.get_or_create(username=OWNER, defaults={"is_active": False, "password": "!"})
    # Lock the owner, so that no bot is created twice.
    owner = User.objects.select_for_update(no_key=True).get(username=OWNER)
    pool = houses(variant=variant)
    first, second = _version(owner, pool[0], 1), _version(owner, pool[0], 2)
    rest = [_version(owner, house, copy) for house, copy in _further(pool, others)]
    return Cast((first, second), _version(owner, quitter(), 1), tuple(rest))


def is_quitter(*, version: Version) -> bool:
    """Return whether this is the version that crashes."""
    return version.bot.owner.username == OWNER and version.bot.slug == Path(QUITTER).name


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
    bot, _made = Bot.objects.get_or_create(
        owner=owner, slug=slug, defaults={"name": name, "accepts_challenges": False}
    )
    digest = house.digest
    found = bot.versions.ready().filter(digest=digest).first()
    return found or _upload(bot, house, digest)


def _upload(bot: Bot, house: HouseBotFolder, digest: str) -> Version:
    data = house.archive
    newest: int | None = bot.versions.aggregate(newest=Max("number"))["newest"]
    version = Version.objects.create(
        bot=bot,
        number=(newest or 0) + 1,
        digest=digest,
        filename=f"{house.slug}.zip",
        size_bytes=len(data),
        language=house.language,
        variants=list(house.variants),
        status=VersionStatus.READY,
    )
    VersionArchive.objects.create(version=version, data=data)
    return version


def _read(folder: Path) -> HouseBotFolder:
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    said = tomllib.loads(files["drapeau.toml"].decode())["bot"]
    return HouseBotFolder(folder.name, files, said["language"], tuple(said["variants"]))
