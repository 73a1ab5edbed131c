"""Programs that are the same or nearly the same: plain data, no database.

Two programs are nearly the same if they share most sequences of `RUN` words. Words are what a
compiler sees, without spaces and comments. Sequences that everybody has (those of the starter kits)
are left out. After Schleimer, Wilkerson, Aiken, Winnowing: Local Algorithms for Document
Fingerprinting (2003), but without the winnowing: the least hashes of each program are compared.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

RUN = 8  # words
KEPT = 400  # the least hashes of a program
NEARLY = 0.8  # of the hashes of both together
FEWEST = 40  # hashes: a program with fewer is too short to tell who wrote it
COMMON = 30  # bots: a sequence that more of them have does not count
MANY = 3  # bots of one owner with one program
WORD = re.compile(r"[A-Za-z_]\w*|\d+|[^\s\w]")
LINE_COMMENT = re.compile(r"#[^\n]*|//[^\n]*")
COMMENT = re.compile(rf"{LINE_COMMENT.pattern}|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UploadedProgram:
    """The digest of the program of a bot, with its owner."""

    bot: int
    owner: int
    digest: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Bots with the same program (`share` 1) or nearly the same program."""

    bots: tuple[int, ...]
    share: float = 1.0


def of_several_owners(
    programs: Iterable[UploadedProgram], known: Iterable[str] = ()
) -> list[Alike]:
    """Return the programs that several owners have, except those with a `known` digest."""
    shared = [
        rows
        for digest, rows in _by_digest(programs).items()
        if digest not in set(known) and len({row.owner for row in rows}) > 1
    ]
    return [Alike(tuple(row.bot for row in rows)) for rows in shared]


def many_of_one_owner(programs: Iterable[UploadedProgram]) -> list[Alike]:
    """Return the owners' groups of `MANY` or more bots with one program."""
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
    """Return groups of bots of different owners with nearly the same sources, most similar first.

    A bot belongs to a group if it is similar to one of its bots. The share of the group is the
    lowest share of these pairs. `known` are texts that everybody may copy.
    """
    common = {run for text in known for run in _runs(text)}
    prints = {bot: _least(_runs(text) - common) for bot, text in sources.items()}
    long_enough = {bot: runs for bot, runs in prints.items() if len(runs) >= FEWEST}
    having: dict[int, list[int]] = defaultdict(list)
    for bot, runs in long_enough.items():
        for run in runs:
            having[run].append(bot)
    together = Counter(
        pair for bots in having.values() if len(bots) <= COMMON for pair in combinations(bots, 2)
    )
    found = [
        Alike(pair, _share(long_enough[pair[0]], long_enough[pair[1]]))
        for pair, count in together.items()
        if owners[pair[0]] != owners[pair[1]] and count >= FEWEST * NEARLY
    ]
    near = sorted((row for row in found if row.share >= NEARLY), key=lambda row: -row.share)
    return sorted(_grouped(near), key=lambda row: (-row.share, row.bots))


def _grouped(pairs: Iterable[Alike]) -> list[Alike]:
    """Join pairs with a common bot. The most similar pairs come first."""
    groups: dict[int, Alike] = {}
    for pair in pairs:
        joined = {groups.get(bot, Alike((bot,), pair.share)) for bot in pair.bots}
        bots = tuple(sorted({bot for group in joined for bot in group.bots}))
        share = min(group.share for group in joined) if len(joined) == 1 else pair.share
        groups |= dict.fromkeys(bots, Alike(bots, share))
    return list(set(groups.values()))


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
    """Return the words of a text without its comments, in linear time.

    After the last `*/` no block comment is searched: an upload may consist of `/*` only, and each
    one would be searched to the end of the text.
    """
    closed, end, rest = text.rpartition("*/")
    return WORD.findall(f"{COMMENT.sub(' ', closed + end)} {LINE_COMMENT.sub(' ', rest)}")


def _least(runs: Iterable[int]) -> frozenset[int]:
    return frozenset(sorted(runs)[:KEPT])


def _share(one: frozenset[int], other: frozenset[int]) -> float:
    """Estimate the Jaccard similarity from the least hashes of both together."""
    least = _least(one | other)
    return len(least & one & other) / len(least)
