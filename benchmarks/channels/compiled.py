"""The compile step as a sender: the compiler looks for files that its source names.

So it leaves names that do not exist in the memory of the host, where a bot finds them in a game.
"""

import random
from pathlib import Path

from benchmarks.channels.programs import ends
from benchmarks.channels.rows import FOLDER, Channel
from benchmarks.channels.score import Score
from botkit.package import Package
from engine.protocol import Answer, Ask
from sandbox import compiling
from sandbox.levels.isolation import Isolation
from sandbox.table import open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox.attack.match import TRUSTING

COPIES = 5  # of each name, because a name can be timed only once
PATIENT_MS = 20_000.0


def told(isolation: Isolation, folder: Path, row: Channel, rng: random.Random) -> Score:
    """Build one bot, then seat another; return how much the second read of what the first left."""
    bits = "".join(rng.choice("01") for _ in range(row.bits))
    key = rng.randrange(1, 1 << 40)
    macros = f'#define KEY "{key}"\n#define COUNT {row.bits}\n#define COPIES {COPIES}\n'
    reader = (macros + (FOLDER / "programs/names.c").read_text()).encode()
    looked_for = [
        f"{ends.LIBRARY}/{key}-{place}-{copy}"
        for place in ends.ones(bits)
        for copy in range(COPIES)
    ]
    sender = "".join(f'#if __has_include("{name}")\n#endif\n' for name in looked_for)
    built = [
        _built(isolation, folder, code)
        for code in (reader, f"{sender}int main(void) {{}}".encode())
    ]
    with open_table(
        isolation=isolation, seats={"red": built[0]}, work_dir=folder, admission=TRUSTING
    ) as table:
        answer = table.ask({"red": Ask(b"read\n", PATIENT_MS)})["red"]
    assert isinstance(answer, Answer), answer
    came = ends.split([int(each) for each in answer.line.split()])
    return Score(sum(a == b for a, b in zip(bits, came, strict=True)), row.bits)


def _built(isolation: Isolation, folder: Path, code: bytes) -> Package:
    package = unpack(code, "bot.c")
    made = compiling.build(package, isolation=isolation, work_dir=folder)
    return Package(package.manifest, package.files, package.digest, made.artefact)
