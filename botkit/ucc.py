"""Programs that speak the text protocol of the UCC programming competition of 2012, in `classic`.

`python -m botkit.ucc ./rook --fast` is a bot. It starts the program, one for each game, and
translates in both directions. `UccBot` is the same as a class, for a folder to upload.

Over there red sits in the top rows and columns and rows count from 0: `a1` is `0 0`, `j10` is
`9 9`, and UP goes to a lower rank.
"""

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from botkit.bot import RESIGN, Bot, run
from botkit.ranks import BOMB, FLAG, SCOUT
from engine.duel.typed_view import DuelView, Move

VARIANT = "classic"
RANKS = dict(zip("123456789sBF", "M98765432SBF", strict=True))  # of the arena, by those over there
UCC_RANKS = {rank: theirs for theirs, rank in RANKS.items()}
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
MOVE = re.compile(r"(\d{1,2})\s+(\d{1,2})\s+(UP|DOWN|LEFT|RIGHT)(?:\s+(\d{1,2}))?", re.ASCII)
SURRENDER = "SURRENDER"
LINE_MAX_CHARS = 200  # what is longer is no answer; the rest is read as the next one
QUOTED_MAX_CHARS = 60
END_WAIT_S = 1.0  # for the program to end by itself

FORFEIT, RANDOM = "forfeit", "random"  # what to do with a move that the rules do not allow
OPTION = "--on-barred="
USAGE = 2


class UccBot(Bot[DuelView]):
    """A program that speaks the UCC protocol: name its `command` in a subclass."""

    wants_view = "first"

    command: Sequence[str] = ()
    on_barred = FORFEIT  # RANDOM plays any legal move in place of one that is not

    def begin(self) -> None:
        """Start the program."""
        if self.variant.partition("@")[0] != VARIANT:
            self._stop(f"UCC programs play {VARIANT} alone, not {self.variant}")
        try:
            parsed((f"{OPTION}{self.on_barred}", *self.command))
        except ValueError as problem:
            self._stop(str(problem))
        try:
            self._program = subprocess.Popen(  # noqa: S603 - what the author asked to run
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="ascii",
                errors="replace",
            )
        except OSError as problem:
            self._stop(f"{self.command[0]}: {problem.strerror}")
        self._input, self._output = (
            pipe for pipe in (self._program.stdin, self._program.stdout) if pipe
        )
        self._moves: list[Mapping[str, Any]] = []  # that the program has not heard of
        self._last: Move | None = None  # its own

    def deploy(self, view: DuelView) -> str:
        """Ask for the rows of the set-up, from the top of the board over there."""
        self._send(f"{self.seat.upper()} opponent {view.files} {view.ranks}")
        rows = {row: self._answer() for row in sorted({_place(square)[1] for square in view.home})}
        for row in rows.values():
            if len(row) != view.files or not RANKS.keys() >= set(row):
                needed = f"a row has {view.files} of the characters {''.join(RANKS)}"
                self._log(f"the program set up {_quoted(row)}: {needed}; no square stays empty")
                return f"not a UCC set-up: {_quoted(row)}"
        return "".join(RANKS[rows[row][column]] for column, row in map(_place, view.home))

    def hear(self, event: Mapping[str, Any]) -> None:
        """Keep a move for the program."""
        if event["type"] in ("moved", "fought"):
            self._moves.append(event)
            if event["seat"] == self.seat:
                self._last = Move(event["from"], event["to"])

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Return the move of the program, after it is told what happened and shown the board."""
        lines = [told_of(event) for event in self._moves] or ["START"]
        self._moves = []
        self._send(*lines, *board_of(view))
        answer = self._answer()
        if answer == SURRENDER:
            return RESIGN
        move = move_of(answer, view)
        action = str(move) if move else f"not a UCC move: {_quoted(answer)}"
        if action in legal:
            return action
        why = refusal(view, move, self._last, self.options) if move else "this is no move"
        self.note = f"the program sent {_quoted(answer)}: {why}"
        if self.on_barred == RANDOM:
            action = self.rng.choice(legal)
            self.note += f"; a random move, {action}, is played instead"
        self._log(self.note)
        return action

    def end(self, outcome: Mapping[str, Any] | None, termination: str) -> None:  # noqa: ARG002 - of the kit
        """Confirm the last move, say QUIT, and see that the program ends."""
        own = [told_of(event) for event in self._moves if event["seat"] == self.seat]
        with suppress(BrokenPipeError):  # it may have ended already
            self._write(*own, "QUIT")
        self._leave()

    def _send(self, *lines: str) -> None:
        try:
            self._write(*lines)
        except BrokenPipeError:
            self._gone()

    def _write(self, *lines: str) -> None:
        self._input.write("".join(f"{line}\n" for line in lines))
        self._input.flush()

    def _answer(self) -> str:
        line = self._output.readline(LINE_MAX_CHARS)
        if not line:
            self._gone()
        return line.strip()

    def _gone(self) -> NoReturn:
        status = self._leave()
        if status is None:
            self._stop("the program closed its output")
        if status < 0:
            self._stop(f"the program was ended by signal {-status}")
        self._stop(f"the program ended with exit status {status}")

    def _leave(self) -> int | None:
        """Return the exit status of the program, or kill it if it does not end by itself."""
        with suppress(BrokenPipeError):
            self._input.close()
        try:
            return self._program.wait(END_WAIT_S)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
            return None
        finally:
            self._output.close()

    def _stop(self, why: str) -> NoReturn:
        """End this bot, which loses the game as a crash, and say why in its log."""
        sys.exit(f"[ucc] {why}")

    def _log(self, text: str) -> None:
        sys.stderr.write(f"[ucc] {text}\n")


def told_of(event: Mapping[str, Any]) -> str:
    """Return the line that tells of a `moved` or `fought` event."""
    (x, y), (to_x, to_y) = _place(event["from"]), _place(event["to"])
    squares = abs(to_x - x) + abs(to_y - y)
    step = ((to_x - x) // squares, (to_y - y) // squares)
    direction = next(word for word, way in STEPS.items() if way == step)
    run_of = f" {squares}" if squares > 1 else ""
    return f"{x} {y} {direction}{run_of} {_outcome(event)}"


def _outcome(event: Mapping[str, Any]) -> str:
    if event["type"] == "moved":
        return "OK"
    attacker, defender = (event[side]["rank"] for side in ("attacker", "defender"))
    if defender == FLAG:
        return "VICTORY_FLAG"
    word = {"attacker": "KILLS", "defender": "DIES", "none": "BOTHDIE"}[event["winner"]]
    return f"{word} {UCC_RANKS[attacker]} {UCC_RANKS[defender]}"


def board_of(view: DuelView) -> list[str]:
    """Return the rows of the board, own ranks in clear and every enemy piece as `#`."""
    shown = {
        piece.square: UCC_RANKS[piece.rank] if piece.seat == view.seat else "#"
        for piece in view.pieces
    } | dict.fromkeys(view.lakes, "+")
    return [
        "".join(shown.get(_square(x, y), ".") for x in range(view.files)) for y in range(view.ranks)
    ]


def move_of(line: str, view: DuelView) -> Move | None:
    """Return the move that a line means, or None if it means none on this board."""
    match = MOVE.fullmatch(line)
    if match is None:
        return None
    x, y, squares = int(match[1]), int(match[2]), int(match[4] or 1)
    step_x, step_y = STEPS[match[3]]
    to_x, to_y = x + squares * step_x, y + squares * step_y
    inside = all(0 <= file < view.files for file in (x, to_x)) and all(
        0 <= row < view.ranks for row in (y, to_y)
    )
    return Move(_square(x, y), _square(to_x, to_y)) if inside else None


def refusal(view: DuelView, move: Move, last: Move | None, options: Mapping[str, Any]) -> str:
    """Return why the rules do not allow a move that is not among the legal actions."""
    piece, victim = view.by_square.get(move.origin), view.by_square.get(move.target)
    if piece is None or piece.seat != view.seat:
        return f"no piece of yours stands on {move.origin}"
    way = _between(move)
    own = victim is not None and victim.seat == view.seat
    back = last and move.origin == last.target and move.target in (last.origin, *_between(last))
    reasons = (
        (piece.rank in (FLAG, BOMB), "flag and bombs stay where they are"),
        (own, f"your own piece stands on {move.target}"),
        (move.target in view.lakes, f"{move.target} is a lake"),
        (way and piece.rank != SCOUT, "only scouts go further than one square"),
        (
            any(square in view.by_square or square in view.lakes for square in way),
            "the way is not free",
        ),
        (
            way and victim and not options.get("scout_move_and_strike", True),
            "a scout may not run and strike in one turn",
        ),
        (back, "the limit of moves to and fro bars it (rule B16)"),
    )
    return next((why for holds, why in reasons if holds), "the chase rule bars it (rule BE2)")


def _between(move: Move) -> list[str]:
    """Return the squares between the ends of a straight move, from its first square."""
    (x, y), (to_x, to_y) = _place(move.origin), _place(move.target)
    squares = abs(to_x - x) + abs(to_y - y)
    return [
        _square(x + (to_x - x) * step // squares, y + (to_y - y) * step // squares)
        for step in range(1, squares)
    ]


def _place(square: str) -> tuple[int, int]:
    return ord(square[0]) - ord("a"), int(square[1:]) - 1


def _square(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= QUOTED_MAX_CHARS else f"{text[:QUOTED_MAX_CHARS]}...")


def parsed(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return what to do with a barred move, and the command. Raise ValueError with a sentence."""
    on_barred = FORFEIT
    if words and words[0].startswith(OPTION):
        on_barred, words = words[0].removeprefix(OPTION), words[1:]
    if on_barred not in (FORFEIT, RANDOM):
        raise ValueError(f"{OPTION} is followed by {FORFEIT} or {RANDOM}, not {on_barred!r}")
    if not words:
        raise ValueError("there is no command; write ./rook --fast")
    return on_barred, words


def main() -> int:
    """Play one game with the program of the command line."""
    try:
        on_barred, command = parsed(sys.argv[1:])
    except ValueError as problem:
        sys.stderr.write(f"[ucc] {problem}\n")
        return USAGE

    def bot() -> UccBot:
        adapter = UccBot()
        adapter.command, adapter.on_barred = command, on_barred
        return adapter

    run(bot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
