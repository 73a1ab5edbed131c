"""Seat one program from hostile/ and ask it a few times, the way a referee would."""

import time
from dataclasses import dataclass
from pathlib import Path

from engine.protocol import Ask, Failure
from sandbox.evidence import Evidence
from sandbox.isolation import Isolation
from sandbox.package import unpack
from sandbox.table import Admission, open_table

HOSTILE = Path(__file__).parent / "hostile"
TRUSTING = Admission(trust_all=True)
STARTUP_MS = 1500
ACTION_MS = 500
ACTS = 3
BETWEEN_ACTS_S = 0.06


@dataclass(frozen=True)
class Verdict:
    """The first line of a hostile program."""

    word: str  # a fault, or "plays"
    detail: str  # in the failure's words, or in the answers
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    answers: list[bytes]
    failure: Failure | None
    basis: str
    stderr: bytes
    evidence: Evidence | None
    charged_ms: list[float]


def programs(level: str) -> list[str]:
    names = [path.stem for path in sorted(HOSTILE.glob("*.py"))]
    return [name for name in names if level in verdict(name).levels]


def verdict(name: str) -> Verdict:
    first = (HOSTILE / f"{name}.py").read_text().splitlines()[0]
    word, detail, levels = first.removeprefix("# verdict: ").split(" | ")
    known = ("docker", "bubblewrap", "process")
    return Verdict(word, detail, known if levels == "all" else tuple(levels.split(", ")))


def source(name: str) -> bytes:
    return (HOSTILE / f"{name}.py").read_bytes()


def play(isolation: Isolation, code: bytes, work_dir: Path) -> Played:
    answers: list[bytes] = []
    charged: list[float] = []
    failure = None
    package = unpack(code, "bot.py")
    with open_table(
        isolation=isolation, seats={"red": package}, work_dir=work_dir, admission=TRUSTING
    ) as table:
        for number in range(ACTS):
            ask = Ask(b"%d\n" % number, ACTION_MS if number else STARTUP_MS, starting=not number)
            outcome = table.ask({"red": ask})["red"]
            charged.append(outcome.charged_ms)
            if isinstance(outcome, Failure):
                failure = outcome
                break
            answers.append(outcome.line)
            time.sleep(BETWEEN_ACTS_S)
    return Played(
        answers,
        failure,
        table.clock_basis,
        table.stderr("red"),
        table.evidence("red"),
        charged,
    )


def assert_verdict(name: str, isolation: Isolation, work_dir: Path) -> Played:
    expected = verdict(name)
    played = play(isolation, source(name), work_dir)
    if expected.word == "plays":
        assert played.failure is None
        assert len(played.answers) == ACTS
        assert all(expected.detail in answer.decode() for answer in played.answers)
    else:
        assert played.failure is not None
        assert (played.failure.fault, expected.detail in played.failure.detail) == (
            expected.word,
            True,
        ), played.failure.detail
    return played
