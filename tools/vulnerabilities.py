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


def locked(lock: Path) -> dict[str, str]:
    """Return the versions that a lock file names, by normalized name."""
    return {canonicalize_name(name): version for name, version in _LOCKED.findall(lock.read_text())}


def advisories(source: Path) -> Iterator[Advisory]:
    """Yield the advisories of a folder or a zip. Raise OSError, BadZipFile or ValueError."""
    if source.is_dir():
        yield from (json.loads(path.read_bytes()) for path in sorted(source.rglob("*.json")))
        return
    with zipfile.ZipFile(source) as archive:
        yield from (json.loads(archive.read(name)) for name in sorted(archive.namelist()))


def findings(packages: Mapping[str, str], known: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Return a line for each locked package with an advisory in force, and for each bad advisory.

    A bad advisory is one that is not in the format; the others are checked nevertheless.
    """
    found, bad = [], []
    for advisory in known:
        try:
            found += _found(packages, advisory)
        except UNREADABLE as problem:
            name = advisory.get("id") if isinstance(advisory, Mapping) else None
            bad.append(f"{name or 'an advisory without an id'}: {problem!r}")
    return found, bad


def _found(packages: Mapping[str, str], advisory: Advisory) -> list[str]:
    if "withdrawn" in advisory:
        return []
    return [
        f"{name} {packages[name]}: {advisory['id']} {advisory.get('summary', '')}".rstrip()
        for name in sorted(_affected(advisory, packages))
    ]


def _affected(advisory: Advisory, packages: Mapping[str, str]) -> set[str]:
    return {
        name
        for entry in advisory.get("affected", ())
        if entry.get("package", {}).get("ecosystem") == "PyPI"
        and (name := canonicalize_name(entry["package"]["name"])) in packages
        and _names(entry, Version(packages[name]))
    }


def _names(entry: Mapping[str, Any], version: Version) -> bool:
    return any(_is(version, text) for text in entry.get("versions", ())) or any(
        _in_range(each["events"], version)
        for each in entry.get("ranges", ())
        if each["type"] == "ECOSYSTEM"
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
        raise ValueError(f"{text!r} is not a version of PyPI") from problem


def main() -> int:
    """Print what was found, or that nothing was checked."""
    source = os.environ.get(SETTING, "")
    if not source:
        print(f"not checked: {SETTING} names no folder or zip of OSV files")
        return 0
    packages = locked(ROOT / "requirements" / "run.lock")
    try:
        known = list(advisories(Path(source)))
        found, bad = findings(packages, known)
    except UNREADABLE as problem:
        print(f"not checked: {source} cannot be read as OSV files: {problem!r}", file=sys.stderr)
        return 1
    if not known:
        print(f"not checked: {source} holds no OSV file", file=sys.stderr)
        return 1
    read = len(known) - len(bad)
    for each in bad:
        print(f"not checked: {each}", file=sys.stderr)
    print("\n".join(found) if found else f"{len(packages)} packages, {read} advisories: none")
    return int(bool(found or bad))


if __name__ == "__main__":
    sys.exit(main())
