"""The bots that play in rehearsals: house bots, as rows of a user that is nobody.

They are the site's own programs, so that a rehearsal runs nobody's bot unasked, copies nobody's
program for a twin, and needs no bot to be there: a site rehearses on its first day. They are on no
ladder, and have passed no checks: every level of isolation trusts them by their digest.
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

OWNER = "rehearsal_"  # nobody can sign up by it: a name does not end like this
QUITTER = "rehearsal/quitter"  # the folder of the one that crashes
OTHERS = 2  # house bots beside the twins
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: the same files, the same bytes


@dataclass(frozen=True, slots=True)
class HouseBotFolder:
    """A house bot's folder: its files by path, its language, and what it plays."""

    slug: str
    files: Mapping[str, bytes]
    language: str
    variants: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Name the files as `sandbox.uploads.package` does, which the web process cannot reach."""
        whole = hashlib.sha256()
        for path in sorted(self.files):
            content = hashlib.sha256(self.files[path]).hexdigest()
            whole.update(json.dumps([path, content]).encode() + b"\n")
        return whole.hexdigest()

    @property
    def archive(self) -> bytes:
        """Zip the files as an upload would."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(self.files):
                packed.writestr(zipfile.ZipInfo(path, date_time=EPOCH), self.files[path])
        return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays: two bots of one program, one that crashes, and others."""

    twins: tuple[Version, Version]
    quitter: Version
    others: tuple[Version, ...]


def houses(*, variant: str) -> list[HouseBotFolder]:
    """Return the house bots that play a variant, those that play most variants first."""
    folder = Path(settings.HOUSE_BOTS_DIR)
    found = [_read(each.parent) for each in sorted(folder.glob("*/drapeau.toml"))]
    playing = [
        house
        for house in found
        if variant in house.variants and not languages.is_compiled(house.language)
    ]
    return sorted(playing, key=lambda house: (-len(house.variants), house.slug))


def quitter() -> HouseBotFolder:
    """Return the one that crashes."""
    return _read(Path(settings.HOUSE_BOTS_DIR) / QUITTER)


@transaction.atomic
def cast(*, variant: str, others: int = OTHERS) -> Cast:
    """Return the bots of a rehearsal, made where they are not there yet.

    Where there are fewer house bots than `others` asks for, more bots of the same programs; there
    has to be one that plays the variant.
    """
    owner = _owner()
    pool = houses(variant=variant)
    first, second = _version(owner, pool[0], 1), _version(owner, pool[0], 2)
    rest = [_version(owner, house, copy) for house, copy in _further(pool, others)]
    return Cast((first, second), _version(owner, quitter(), 1), tuple(rest))


def is_quitter(*, version: Version) -> bool:
    """Return whether this is the one that crashes."""
    return version.bot.owner.username == OWNER and version.bot.slug == Path(QUITTER).name


def _further(pool: Sequence[HouseBotFolder], count: int) -> list[tuple[HouseBotFolder, int]]:
    """Return so many more beside the twins: every other house bot, then further copies of all."""
    spread = [(house, 1) for house in pool[1:]]
    copy = 2
    while len(spread) < count:
        spread += [(house, copy) for house in pool if (house, copy) != (pool[0], 2)]
        copy += 1
    return spread[:count]


def _owner() -> User:
    """Return the user who owns them all, held, so that none of them is made twice."""
    User.objects.get_or_create(username=OWNER, defaults={"is_active": False, "password": "!"})
    return User.objects.select_for_update(no_key=True).get(username=OWNER)


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
