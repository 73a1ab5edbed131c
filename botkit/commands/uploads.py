"""What `submit` uploads and where to: the files, the bot on the site, and the next version."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from botkit import languages
from botkit.commands import CommandFailed
from botkit.commands.archives import BAD_ZIP, ZIP, unpacked
from botkit.commands.output import clean, document, note, say
from botkit.exit_statuses import FAILED, USAGE
from botkit.folder import LEAVE_OUT_REST, TooLarge, check_limits, largest_parts, listed
from botkit.manifest import BadUpload
from botkit.package import (
    UPLOAD_MAX_BYTES,
    Package,
    package_of,
    read_folder,
    single_file,
    zipped,
)
from botkit.site import SiteClient

SLUG_MAX_CHARS = 40  # of the part of an address that names a bot
MIB = 2**20
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """A bot that is ready to go up. `left_out` are the files of its folder that stay here."""

    package: Package
    filename: str
    data: bytes
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name that the bot has in its manifest, or by its file."""
        return self.package.manifest.name

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the files by path, sorted."""
        return {path: len(content) for path, content in sorted(self.package.files.items())}


@dataclass(frozen=True, slots=True)
class Target:
    """A bot of the caller and the number of its next version. `bot` is None if it is not there."""

    owner: str
    name: str
    number: int
    bot: Row | None
    full_until: str  # when the caller may upload again, or empty

    @property
    def slug(self) -> str:
        """Its part of the address; empty if the site alone can tell."""
        return str(self.bot["slug"]) if self.bot else _slug(self.name)

    def __str__(self) -> str:
        return f"{self.owner}/{self.slug or self.name}"


def read_upload(source: Path) -> Upload:
    """Return what a folder, a source file or a zip uploads. Raise CommandFailed."""
    try:
        return upload_of(source)
    except TooLarge as problem:
        raise CommandFailed(f"{source}: {problem.message}{_largest(source)}", USAGE) from problem
    except BadUpload as problem:
        raise CommandFailed(f"{source}: {problem.message}", USAGE) from problem
    except OSError as problem:
        place = problem.filename or source
        raise CommandFailed(f"{place}: {problem.strerror}", USAGE) from problem


def upload_of(source: Path) -> Upload:
    """Return what a folder, a source file or a zip uploads. Raise BadUpload and OSError."""
    if source.is_dir():
        package, left_out = read_folder(source), listed(source).left_out
        name = f"{source.resolve().name}{ZIP}"
        upload = Upload(package, name, zipped(package.files), left_out)
    else:
        upload = _of_file(source)
    if len(upload.data) > UPLOAD_MAX_BYTES:
        why = f"packed it has {_size(len(upload.data))}, and {_MOST}"
        raise TooLarge("too_large", f"{why}. {LEAVE_OUT_REST}")
    return upload


def _of_file(file: Path) -> Upload:
    language = languages.of_file(file.name)
    size_bytes = file.stat().st_size
    if language is None and file.suffix.lower() != ZIP:
        known = ", ".join((*languages.suffixes(), ZIP))
        raise BadUpload("wrong_extension", f"a bot is a folder, or a file in {known}")
    if not file.is_file():
        raise BadUpload("special_file", "it is neither a file nor a folder. Name another")
    if size_bytes > UPLOAD_MAX_BYTES:
        raise BadUpload(
            "too_large", f"it has {_size(size_bytes)}, and {_MOST}. Leave out data and caches"
        )
    data = file.read_bytes()
    if language is not None:
        return Upload(single_file(data, file.name, language), file.name, data)
    if not data:
        raise BadUpload("empty_file", "the file is empty")
    try:
        files = unpacked(data, file.name)
    except (ValueError, *BAD_ZIP) as problem:
        why = "it cannot be read as a zip. Zip the folder again, or submit the folder itself"
        raise BadUpload("not_a_zip", why) from problem
    upload = Upload(package_of(files), file.name, data)
    check_limits(upload.sizes)
    return upload


def _largest(source: Path) -> str:
    """Return a further sentence with the largest parts of a folder, or "" of anything else."""
    try:
        largest = largest_parts(source)
    except (BadUpload, OSError):  # a file, or a folder with more faults
        return ""
    parts = ", ".join(
        f"{name} ({_size(size)}" + (f" in {count} files)" if count > 1 else ")")
        for name, size, count in largest
    )
    return f". Its largest parts, at least: {parts}"


def find_target(site: SiteClient, given: str | None, usual: str) -> Target:
    """Return the caller's bot with the given name, as `owner/bot` or `bot`, or the usual name.

    Raise CommandFailed for the bot of somebody else, and SiteProblem.
    """
    me = site.get("me")
    owner, name = str(me["username"]), usual
    if given is not None:
        whose, slash, name = given.strip().rpartition("/")
        if slash and whose != owner:
            why = f"you are {owner}, and a bot takes versions from its owner alone"
            raise CommandFailed(f"{clean(given)}: {why}. List yours: drapeau bot", USAGE)
        if not name:
            raise CommandFailed("--bot is followed by a name, such as mine or zoe/mine", USAGE)
    bots: list[Row] = site.rows("bots", most=200, owner=owner)["results"]
    wanted = (("slug", name), ("name", name), ("slug", _slug(name)))
    matching = [bot for key, value in wanted for bot in bots if bot[key] == value]
    number = 1
    if matching:
        address = ("bots", matching[0]["owner"], matching[0]["slug"], "versions")
        newest = site.rows(*address, most=1)["results"]
        number = newest[0]["number"] + 1 if newest else 1
    full = [
        str(quota["reset_at"])
        for quota in me.get("quotas", ())
        if quota["key"] == "uploads" and quota["remaining"] == 0
    ]
    return Target(owner, name, number, matching[0] if matching else None, "".join(full))


def describe(upload: Upload, target: Target | None, *, as_json: bool | None = None) -> None:
    """List what goes up and where to: as the result, or as progress if `as_json` is left out.

    `target` is None where no site says.
    """
    sizes = upload.sizes
    if as_json:
        return document(
            {
                "bot": target and str(target),
                "exists": target and target.bot is not None,
                "version": target and target.number,
                "files": [{"path": path, "size_bytes": size} for path, size in sizes.items()],
                "left_out": list(upload.left_out),
                "packed_bytes": len(upload.data),
            }
        )
    tell = note if as_json is None else say
    count = "1 file" if len(sizes) == 1 else f"{len(sizes)} files"
    total = _size(sum(sizes.values()))
    place = upload.name
    if target is not None:
        new = "" if target.bot else ", a new bot"
        place = f"To {target}{new}, version {target.number}"
    tell(f"{place}: {count}, {total}")
    for path, size in sizes.items():
        tell(f"  {path}  {_size(size)}")
    if upload.left_out:
        tell(f"Left out: {', '.join(upload.left_out)}")
    return None


def made(site: SiteClient, target: Target, upload: Upload, *, create: bool) -> Row:
    """Make the bot of a target, if the caller wants it, and return it. Raise CommandFailed."""
    asks = sys.stdin.isatty() and target.slug
    if not create and not asks:
        why = f"you have no bot {clean(target.name)} at {site.address}"
        raise CommandFailed(f"{why}. List yours: drapeau bot. To make it, add --create", USAGE)
    if target.full_until:
        why = f"you may upload no more until {clean(target.full_until)}"
        raise CommandFailed(f"{why}. So {target} was not made", FAILED)
    describe(upload, target)
    if not create:
        page = site.page(f"/bots/{target.owner}/{target.slug}/")
        if not click.confirm(f"You have no bot {target}. Make it, at {page}?", err=True):
            raise CommandFailed("Nothing was uploaded.")
    body = {"name": target.name} | ({"slug": target.slug} if target.slug else {})
    row: Row = site.post("bots", body=body)
    note(f"Made the bot {row['owner']}/{row['slug']}.")
    return row


def _slug(name: str) -> str:
    """Return the part of the address that a site makes of a name in ASCII, otherwise ""."""
    if not name.isascii():
        return ""
    words = re.sub(r"[^\w\s-]", "", name.lower())
    return re.sub(r"[-\s]+", "-", words).strip("-_")[:SLUG_MAX_CHARS].strip("-")


def _size(size_bytes: int) -> str:
    if size_bytes < MIB // 10:
        return f"{size_bytes} bytes"
    return f"{size_bytes / MIB:.1f} MiB"


_MOST = f"a site takes {UPLOAD_MAX_BYTES // MIB} MiB"
