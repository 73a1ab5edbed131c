"""Compare two snapshots: what is the same, what changed, what only one of them has."""

import difflib
from collections import Counter
from dataclasses import dataclass

from tests.snapshot import storing

FIELDS = ("status", "headers", "queries", "messages", "rows", "body")
LINES_SHOWN = 20  # of one difference, unless all of them are asked for
KEYS_SHOWN = 5  # of the answers that have the same difference


@dataclass(frozen=True)
class Comparison:
    """The keys of two snapshots; `changed` has the fields that differ of each."""

    same: list[str]
    changed: dict[str, list[str]]
    before: list[str]
    after: list[str]

    @property
    def differs(self):
        return bool(self.changed or self.before or self.after)


def compare(one, other, *, ignored=()):
    """Compare what was read of two snapshots, but for the fields that are ignored."""
    fields = [name for name in FIELDS if name not in ignored]
    both = [key for key in one if key in other]
    differing = {
        key: [name for name in fields if one[key][name] != other[key][name]] for key in both
    }
    return Comparison(
        same=[key for key, names in differing.items() if not names],
        changed={key: names for key, names in differing.items() if names},
        before=[key for key in one if key not in other],
        after=[key for key in other if key not in one],
    )


def report(folders, *, ignored=(), only="", full=False):
    """Return whether the snapshots of two folders differ, and the lines that say how."""
    one, other = (storing.read(folder, only) for folder in folders)
    found = compare(one, other, ignored=ignored)
    lines = [*_changes(found, folders, (one, other), full=full)]
    for title, keys in (("Only before", found.before), ("Only after", found.after)):
        lines += [f"{title}: {key}" for key in keys]
    counted = Counter(name for names in found.changed.values() for name in names)
    lines.append(
        f"same: {len(found.same)}, changed: {len(found.changed)}, "
        f"only before: {len(found.before)}, only after: {len(found.after)}"
    )
    if counted:
        lines.append("changed in: " + ", ".join(f"{name} {n}" for name, n in counted.items()))
    return found.differs, lines


def _changes(found, folders, answers, *, full):
    """Yield every difference once, with the answers that have it."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for key, names in found.changed.items():
        pair = [(folder, of[key]) for folder, of in zip(folders, answers, strict=True)]
        alike.setdefault(tuple(_difference(names, *pair)), []).append(key)
    for difference, keys in alike.items():
        shown = keys if full else keys[:KEYS_SHOWN]
        yield from (f"Changed: {key}" for key in shown)
        if len(keys) > len(shown):
            yield f"  and {len(keys) - len(shown)} more, in the same way"
        lines = difference if full else difference[:LINES_SHOWN]
        yield from (f"  {line}" for line in lines)
        if len(difference) > len(lines):
            yield f"  ... and {len(difference) - len(lines)} lines; --full shows them"
        yield ""


def _difference(names, one, other):
    for name in names:
        if name == "body":
            before, after = (storing.body(*each) for each in (one, other))
            lines = difflib.unified_diff(before, after, "before", "after", n=2, lineterm="")
            # Without the places, so that the same change in many pages reads the same.
            yield from ("@@" if line.startswith("@@") else line for line in lines)
        elif name in ("messages", "rows"):
            yield f"{name}:"
            yield from difflib.unified_diff(
                one[1][name], other[1][name], "before", "after", n=0, lineterm=""
            )
        elif name == "headers":
            both = {**one[1][name], **other[1][name]}
            for header in both:
                values = [each[1][name].get(header) for each in (one, other)]
                if values[0] != values[1]:
                    yield f"{header}: {values[0]} -> {values[1]}"
        else:
            yield f"{name}: {one[1][name]} -> {other[1][name]}"
