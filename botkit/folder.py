"""The folder of a bot on its author's machine: which files are packed, within a site's limits.

Nothing is read here but names and sizes, so a large folder is refused at once.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from botkit.ignoring import IGNORE_NAME, Rule, is_ignored, rules_of
from botkit.manifest import BadUpload

FILES_MAX = 200  # of a bot, as a site takes it
UNPACKED_MAX_BYTES = 20 * 1024 * 1024
PATH_MAX_BYTES = 200
ENVIRONMENT = "pyvenv.cfg"  # at the top of a virtual environment of Python
COUNTED_MAX = 20_000  # files that are looked at to say which parts are large
PARTS_NAMED = 3
LEAVE_OUT_REST = f"Leave out what the bot does not need, with lines in {IGNORE_NAME}"
LEAVE_OUT = f"leave it out with a line in {IGNORE_NAME}"


class NotPacked(BadUpload):
    """A folder that a site would not take as it is, though a bot may play in it at home."""


class TooLarge(NotPacked):
    """A folder with more files, or larger ones, than a site takes."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a bot by their paths in its folder, their sizes, and what is left out."""

    paths: Mapping[str, Path]
    sizes: Mapping[str, int]
    left_out: tuple[str, ...]


@dataclass(slots=True)
class _Walk:
    root: Path
    rules: tuple[Rule, ...]
    left_out: list[str] = field(default_factory=list)

    def below(
        self, place: Path, above: str = "", around: tuple[Path, ...] = ()
    ) -> Iterator[tuple[str, Path, int]]:
        """Yield path, place and size of each file that is packed. Raise NotPacked and OSError."""
        for entry in _entries(place):
            yield from self.of_entry(entry, above, (*around, place.resolve()))

    def of_entry(
        self, entry: os.DirEntry[str], above: str, around: tuple[Path, ...]
    ) -> Iterator[tuple[str, Path, int]]:
        name, is_folder = f"{above}{entry.name}", _is_folder(entry)
        is_environment = is_folder and Path(entry.path, ENVIRONMENT).is_file()
        if is_environment or is_ignored(name, self.rules, is_folder=is_folder):
            self.left_out.append(name)
            return
        if not name.isprintable() or "\\" in name or ":" in name:
            what = "has characters that no site takes in a name"
            raise NotPacked("bad_path", f"{name!a} {what}: rename it, or {LEAVE_OUT}")
        if len(name.encode()) > PATH_MAX_BYTES:
            what = f"is longer than {PATH_MAX_BYTES} bytes"
            raise NotPacked(
                "long_name", f"the path {name[:40]!r}... {what}: rename it, or {LEAVE_OUT}"
            )
        if entry.is_symlink():
            self._check_link(entry, name, around)
        if is_folder:
            yield from self.below(Path(entry.path), f"{name}/", around)
        elif entry.is_file():
            yield name, Path(entry.path), entry.stat().st_size
        else:
            raise NotPacked("special_file", f"{name!r} is neither file nor folder: {LEAVE_OUT}")

    def _check_link(self, entry: os.DirEntry[str], name: str, around: tuple[Path, ...]) -> None:
        """Raise NotPacked for a link that leads out of the folder, in a circle or nowhere."""
        top, slash, _ = name.partition("/")
        leave_out = f"leave it out with this line in {IGNORE_NAME}: {name}"
        if slash:
            leave_out = f"{leave_out}, or {top}/ for all of that folder"
        try:
            target = Path(entry.path).resolve(strict=True)
        except (OSError, RuntimeError) as problem:  # RuntimeError: a circle, before Python 3.13
            raise NotPacked("bad_link", f"{name!r} is a link to nothing: {leave_out}") from problem
        if not target.is_relative_to(self.root):
            what = f"{name!r} is a link to {target}, outside the folder"
            raise NotPacked("bad_link", f"{what}: copy it into the folder, or {leave_out}")
        if any(folder.is_relative_to(target) for folder in around):
            what = f"{name!r} is a link to a folder around it"
            raise NotPacked("bad_link", f"{what}: {leave_out}")


def listed(folder: Path) -> Listing:
    """Return the files of a bot in a folder. Raise `BadUpload`, OSError, and NotPacked.

    Links within the folder count as the files that they lead to. The search ends at the first file
    beyond a limit.
    """
    walk = _walk(folder)
    paths: dict[str, Path] = {}
    sizes: dict[str, int] = {}
    for name, path, size in walk.below(folder):
        paths[name], sizes[name] = path, size
        check_limits(sizes)
    return Listing(paths, sizes, tuple(walk.left_out))


def check_limits(sizes: Mapping[str, int]) -> None:
    """Raise TooLarge for files by path that are more, or larger, than a site takes."""
    if len(sizes) > FILES_MAX or sum(sizes.values()) > UNPACKED_MAX_BYTES:
        most = UNPACKED_MAX_BYTES // 2**20
        why = f"a site takes at most {FILES_MAX} files and {most} MiB, unpacked"
        raise TooLarge("too_large", f"{why}. {LEAVE_OUT_REST}")


def largest_parts(folder: Path) -> list[tuple[str, int, int]]:
    """Return the largest files and folders at the top: name, bytes and number of files.

    Of each at most some thousands of files are counted, so the numbers are the least. Raise
    `BadUpload` and OSError.
    """
    walk = _walk(folder)
    entries = _entries(folder)
    each_max = max(COUNTED_MAX // max(len(entries), 1), FILES_MAX)
    parts = []
    for entry in entries:
        files = islice(walk.of_entry(entry, "", (folder.resolve(),)), each_max)
        sizes = [size for _, _, size in files]
        if sizes:
            parts.append((entry.name, sum(sizes), len(sizes)))
    parts.sort(key=lambda part: (-part[1], -part[2], part[0]))
    return parts[:PARTS_NAMED]


def _walk(folder: Path) -> _Walk:
    ignore = folder / IGNORE_NAME
    return _Walk(folder.resolve(), rules_of(ignore.read_bytes() if ignore.is_file() else b""))


def _entries(place: Path) -> list[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False
