"""Tables at which one program has every seat."""

from engine.protocol import Answer, Ask
from sandbox.levels.isolation import choose
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack

TRUSTING = Admission(trust_all=True)


def open_for(program, isolation, work_dir, seats=("red",), *, admission=TRUSTING):
    """Open a table for a bot, or for the source of one in Python."""
    bot = unpack(program, "bot.py") if isinstance(program, bytes) else program
    return open_table(
        isolation=isolation,
        seats=dict.fromkeys(seats, bot),
        work_dir=work_dir,
        admission=admission,
    )


def answered_by(program, level, work_dir):
    """Return what a bot answers to its first line."""
    with open_for(program, choose(level), work_dir) as table:
        answer = table.ask({"red": Ask(b"now\n", 60_000)})["red"]
    assert isinstance(answer, Answer), table.stderr("red")
    return answer.line.decode()
