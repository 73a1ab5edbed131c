"""Programs that are the same, or nearly: plain data, no database.

Nearly means that most runs of `RUN` words of one program are in the other, words being what a
compiler would see: spaces and comments do not count. Runs that everybody has (those of the starter
kits) are left out. After Schleimer, Wilkerson, Aiken, Winnowing: Local Algorithms for Document
Fingerprinting (2003), without the winnowing: what is compared are the least hashes of each program.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

RUN = 8  # words
KEPT = 400  # hashes of a program: the least ones
NEARLY = 0.8  # of the hashes of both together
FEWEST = 40  # hashes: below it a program is too short to say whose it is
COMMON = 30  # bots: what more of them have is nobody's own
MANY = 3  # bots of one owner with one program
WORD = re.compile(r"[A-Za-z_]\w*|\d+|[^\s\w]")
LINE_COMMENT = re.compile(r"#[^\n]*|//[^\n]*")
COMMENT = re.compile(rf"{LINE_COMMENT.pattern}|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UploadedProgram:
    """What a bot plays, by digest, and whose it is."""

    bot: int
    owner: int
    digest: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Bots that play the same program (`share` 1) or nearly the same one."""

    bots: tuple[int, ...]
    share: float = 1.0


def of_several_owners(
    programs: Iterable[UploadedProgram], known: Iterable[str] = ()
) -> list[Alike]:
    """Find programs that several owners have; those with a `known` digest are anybody's."""
    shared = [
        rows
        for digest, rows in _by_digest(programs).items()
        if digest not in set(known) and len({row.owner for row in rows}) > 1
    ]
    return [Alike(tuple(row.bot for row in rows)) for rows in shared]


def many_of_one_owner(programs: Iterable[UploadedProgram]) -> list[Alike]:
    """Find owners with `MANY` or more bots that are one program."""
    found = []
    for rows in _by_digest(programs).values():
        of_owner: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            of_owner[row.owner].append(row.bot)
        found += [Alike(tuple(bots)) for bots in of_owner.values() if len(bots) >= MANY]
    return found


def near_copies(
    sources: Mapping[int, str], owners: Mapping[int, int], known: Iterable[str] = ()
) -> list[Alike]:
    """Find bots of different owners whose sources are nearly the same, likest first.

    Who is like somebody of a group belongs to it; its share is the least by which one does. `known`
    are texts that everybody may start from.
    """
    common = {run for text in known for run in _runs(text)}
    prints = {bot: _least(_runs(text) - common) for bot, text in sources.items()}
    long_enough = {bot: runs for bot, runs in prints.items() if len(runs) >= FEWEST}
    having: dict[int, list[int]] = defaultdict(list)
    for bot, runs in long_enough.items():
        for run in runs:
            having[run].append(bot)
    together = Counter(pair for pair in _pairs(having.values()))
    found = [
        Alike(pair, _share(long_enough[pair[0]], long_enough[pair[1]]))
        for pair, count in together.items()
        if owners[pair[0]] != owners[pair[1]] and count >= FEWEST * NEARLY
    ]
    near = sorted((row for row in found if row.share >= NEARLY), key=lambda row: -row.share)
    return sorted(_grouped(near), key=lambda row: (-row.share, row.bots))


def _grouped(pairs: Iterable[Alike]) -> list[Alike]:
    """Join pairs, likest first, that have a bot in common."""
    groups: dict[int, Alike] = {}
    for pair in pairs:
        joined = {groups.get(bot, Alike((bot,), pair.share)) for bot in pair.bots}
        bots = tuple(sorted({bot for group in joined for bot in group.bots}))
        share = min(group.share for group in joined) if len(joined) == 1 else pair.share
        groups |= dict.fromkeys(bots, Alike(bots, share))
    return list(set(groups.values()))


def _pairs(groups: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for bots in groups:
        if len(bots) <= COMMON:
            yield from combinations(bots, 2)


def _by_digest(programs: Iterable[UploadedProgram]) -> Mapping[str, Sequence[UploadedProgram]]:
    rows: dict[str, list[UploadedProgram]] = defaultdict(list)
    for program in programs:
        rows[program.digest].append(program)
    return rows


def _runs(text: str) -> set[int]:
    words = _words(text)
    return {
        zlib.crc32(" ".join(words[at : at + RUN]).encode()) for at in range(len(words) - RUN + 1)
    }


def _words(text: str) -> list[str]:
    """Return the words of a text without its comments, in a time that grows as its length does.

    Behind the last end of a comment none is looked for: from every beginning to the end of the text
    that would be, and an upload may be nothing but beginnings.
    """
    closed, end, rest = text.rpartition("*/")
    return WORD.findall(f"{COMMENT.sub(' ', closed + end)} {LINE_COMMENT.sub(' ', rest)}")


def _least(runs: Iterable[int]) -> frozenset[int]:
    return frozenset(sorted(runs)[:KEPT])


def _share(one: frozenset[int], other: frozenset[int]) -> float:
    """Estimate how much of both is in both: of the least hashes of the two together, how many."""
    least = _least(one | other)
    return len(least & one & other) / len(least)
