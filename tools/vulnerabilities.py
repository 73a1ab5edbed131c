"""Look for known vulnerabilities in the locked packages: `python -m tools.vulnerabilities`.

The advisories are files in the format of OSV (https://ossf.github.io/osv-schema): a folder or a zip
of JSON files, such as the export of osv.dev for PyPI. DRAPEAU_OSV names it. Nothing is asked on the
network. Return 1 if a locked version is affected. Name advisories that are not in the format, and
return 1 for them too.
"""

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
SETTING = "DRAPEAU_OSV"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
Advisory = Mapping[str, Any]
# What files in another format raise somewhere.
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile)


class NotAVersion(ValueError):
    """A limit of a range that is not a version of PyPI; the text says which."""


def locked(lock: Path) -> dict[str, list[str]]:
    """Return the versions that a lock file names, by normalized name.

    A package has several where the version depends on the platform or on Python's version.
    """
    versions: dict[str, list[str]] = {}
    for name, version in _LOCKED.findall(lock.read_text()):
        versions.setdefault(canonicalize_name(name), []).append(version)
    return versions


def advisories(source: Path) -> Iterator[tuple[str, Any]]:
    """Yield the files of a folder or a zip, each with its name and content.

    Raise OSError, BadZipFile or ValueError.
    """
    if source.is_dir():
        for path in sorted(source.rglob("*.json")):
            yield str(path.relative_to(source)), json.loads(path.read_bytes())
        return
    with zipfile.ZipFile(source) as archive:
        for name in sorted(archive.namelist()):
            yield name, json.loads(archive.read(name))


def findings(
    packages: Mapping[str, list[str]], known: Iterable[tuple[str, Any]]
) -> tuple[list[str], list[str]]:
    """Return a line for each locked package with an advisory in force, and for each bad file.

    A bad file is one that is not an advisory in the format; the others are checked nevertheless.
    """
    lines, bad = [], []
    for name, advisory in known:
        try:
            if "withdrawn" not in advisory:
                lines += [
                    f"{package} {version}: {advisory['id']} {advisory.get('summary', '')}".rstrip()
                    for package, version in sorted(_affected(advisory, packages))
                ]
        except NotAVersion as problem:
            bad.append(f"{name}: {problem}")
        except UNREADABLE:
            bad.append(f"{name}: it is not an advisory in the format of OSV")
    return lines, bad


def _affected(advisory: Advisory, packages: Mapping[str, list[str]]) -> set[tuple[str, str]]:
    return {
        (name, version)
        for entry in advisory.get("affected", ())
        if entry.get("package", {}).get("ecosystem") == "PyPI"
        for name in [canonicalize_name(entry["package"]["name"])]
        for version in packages.get(name, ())
        if _names(entry, Version(version))
    }


def _names(entry: Mapping[str, Any], version: Version) -> bool:
    return any(_is(version, text) for text in entry.get("versions", ())) or any(
        _in_range(span["events"], version)
        for span in entry.get("ranges", ())
        if span["type"] == "ECOSYSTEM"
    )


def _is(version: Version, text: str) -> bool:
    """Return whether a text means the version. One that is not a version means another one."""
    try:
        return version == Version(text)
    except InvalidVersion:
        return False


def _in_range(events: Iterable[Mapping[str, str]], version: Version) -> bool:
    """Evaluate the events of a range as the schema says, in the order of their versions.

    Versions from the last limit on are not affected; `*` is no limit.
    """
    pairs = [(text, kind) for event in events for kind, text in event.items()]
    steps = [(_parsed(text), kind) for text, kind in pairs if kind != "limit"]
    limits = [text for text, kind in pairs if kind == "limit"]
    inside = False
    for edge, kind in sorted(steps):
        if kind == "introduced" and version >= edge:
            inside = True
        if (kind == "fixed" and version >= edge) or (kind == "last_affected" and version > edge):
            inside = False
    is_before = not limits or any(text == "*" or version < _parsed(text) for text in limits)
    return inside and is_before


def _parsed(text: str) -> Version:
    """Return a version; "0" stands for the first of all."""
    try:
        return Version("0.dev0" if text == "0" else text)
    except InvalidVersion as problem:
        raise NotAVersion(f"{text!r} is not a version of PyPI") from problem


def main() -> int:
    """Print what was found, or that nothing was checked."""
    source = os.environ.get(SETTING, "")
    if not source:
        print(f"not checked: {SETTING} names no folder or zip of OSV files")
        return 0
    packages = locked(ROOT / "requirements" / "run.lock")
    try:
        known = list(advisories(Path(source)))
        lines, bad = findings(packages, known)
    except UNREADABLE as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        print(f"not checked: {source} cannot be read as OSV files: {why}", file=sys.stderr)
        return 1
    if not known:
        print(f"not checked: {source} holds no OSV file", file=sys.stderr)
        return 1
    for fault in bad:
        print(f"not checked: {fault}", file=sys.stderr)
    count = f"{len(known)} {'advisory' if len(known) == 1 else 'advisories'}"
    if bad:
        print(
            f"incomplete: {len(bad)} of {count} {'is' if len(bad) == 1 else 'are'} not checked",
            file=sys.stderr,
        )
    if lines:
        print("\n".join(lines))
    elif not bad:
        print(f"{len(packages)} packages, {count}: none")
    return int(bool(lines or bad))


if __name__ == "__main__":
    sys.exit(main())
