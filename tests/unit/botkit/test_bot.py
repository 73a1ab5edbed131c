"""The bot's end of the wire: the loop, its faults, and what a bot may print."""

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from botkit import Bot, Clock, Conversation, DuelView, Limits, Move, View, WireError
from botkit.bot import converse
from botkit.program import limits_at_home
from engine.clock import ClockSpec
from engine.protocol import LINE_CAP_BYTES, Act, parse_act
from sandbox import limits
from tests.tree import ROOT
from tests.unit.botkit.messages import CLOCK, act_message, end_message, line, start_message


class First(Bot[DuelView]):
    """Plays the first legal action and keeps a diary."""

    def begin(self) -> None:
        self.heard: list[str] = []

    def deploy(self, view: DuelView) -> str:
        return "".join(view.roster)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        self.note = f"{view.ply}: {len(self.heard)} events, {self.clock['bank_ms']} ms"
        return legal[0]

    def hear(self, event):
        self.heard.append(event["type"])

    def end(self, outcome, termination):
        self.heard.append(termination)


def answers(game: Conversation, *messages: dict[str, object]) -> list[object]:
    out = io.BytesIO()
    converse(game, io.BytesIO(b"".join(map(line, messages))), out)
    return [json.loads(answer) for answer in out.getvalue().splitlines()]


def test_whole_game_is_ready_deployment_actions_then_silence() -> None:
    bot = First()
    bot.name, bot.version = "kept", "1.0"
    game = Conversation(lambda: bot)
    said = answers(
        game,
        start_message(),
        act_message("deploy", home=["a1", "b1", "c1"]),
        act_message("turn", legal=["a1a2", "b1b2"], events=[{"type": "deployed", "seat": "red"}]),
        end_message(),
        act_message("turn", legal=["a1a2"]),
    )
    wants = {"legal": True, "view": "full"}
    assert said == [
        {"type": "ready", "name": "kept", "version": "1.0", "wants": wants},
        {"action": "F24"},
        {"action": "a1a2", "note": "3: 1 events, 59000 ms"},
    ]
    assert game.over
    assert bot.heard == ["deployed", "ended", "flag_captured"]
    assert (bot.ending["fault"], bot.ending["view"]["phase"]) == (None, "over")
    assert (bot.limits, bot.clock["basis"]) == ({"memory_bytes": 1000}, "cpu")


@pytest.mark.parametrize("sign", ["\U0001f9d0", "\0", '"', "\ud800"])
def test_note_of_any_signs_fits_line_for_referee(sign: str) -> None:
    class Odd(First):
        def act(self, view: DuelView, legal: Sequence[str]) -> str:
            self.note = sign * 5000
            return legal[0]

    game = Conversation(Odd)
    game.receive(line(start_message()))
    said = game.receive(line(act_message("turn", legal=["a1a2"])))

    assert said is not None
    assert len(said) <= LINE_CAP_BYTES
    seen = "?" if sign == "\ud800" else sign
    assert parse_act(said.rstrip(b"\n")) == Act("a1a2", seen * 500)


def test_bot_without_legal_list_gets_empty_one() -> None:
    class Own(First):
        wants_legal = False

        def act(self, view: DuelView, legal: Sequence[str]) -> str:
            assert list(legal) == []
            return "a1a2"

    said = answers(Conversation(Own), start_message(), act_message("turn"))
    assert said == [
        {"type": "ready", "wants": {"legal": False, "view": "full"}},
        {"action": "a1a2"},
    ]


def test_view_knows_message_it_came_with() -> None:
    seen = []

    class Looking(First):
        def act(self, view: DuelView, legal: Sequence[str]) -> str:
            seen.append((view.legal, view.moves, view.events, view.time_left_ms))
            return legal[0]

    event: dict[str, object] = {"type": "resigned", "seat": "blue"}
    answers(
        Conversation(Looking),
        start_message(),
        act_message("turn", legal=["a1a2", "b1b2"], events=[event]),
    )

    (told,) = seen
    moves = [Move("a1", "a2"), Move("b1", "b2")]
    assert told == (["a1a2", "b1b2"], moves, [event], CLOCK["action_ms"])


@pytest.mark.parametrize(("bank_ms", "left_ms"), [(59_000, 5_000), (700, 700)])
def test_time_left_is_cap_or_smaller_bank(bank_ms, left_ms) -> None:
    bot = First()
    bot.clock = {"action_ms": 5_000, "bank_ms": bank_ms}

    assert bot.time_left_ms == left_ms


def test_limits_and_clock_have_names_arena_sends() -> None:
    known = {name for level in limits.BY_LEVEL.values() for name in level} | limits_at_home().keys()

    assert Limits.__annotations__.keys() == known | {"line_bytes", "stderr_bytes"}
    assert Clock.__annotations__.keys() == {*ClockSpec().as_json(), "basis", "used_ms"}


def test_special_phases_are_turns_and_bot_brings_view() -> None:
    class Short(View):
        @property
        def asked(self) -> str:
            return f"{self.seat}: {self.phase}"

    class Asked(Bot[Short]):
        view_type = Short

        def deploy(self, view: Short) -> str:
            return view.asked

        def act(self, view: Short, legal: Sequence[str]) -> str:
            return view.asked

    phases = [act_message(phase) for phase in ("deploy", "turn", "fill")]
    said = answers(Conversation(Asked), start_message(), *phases)
    assert said[1:] == [{"action": f"red: {phase}"} for phase in ("deploy", "turn", "fill")]


SETTLED = """
from botkit import Bot, run

class Settled(Bot):
    settings = {"plies": 2}

    def begin(self):
        self.name = str(self.settings["plies"])

run(Settled)
"""


@pytest.mark.parametrize("place", ["here", "elsewhere", "inside"])
def test_program_reads_settings_beside_it_or_where_started(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    program = folder / ("src/bot.py" if place == "inside" else "bot.py")
    program.parent.mkdir(parents=True)
    program.write_text(SETTLED)
    command = [sys.executable, str(program)]
    cwd = tmp_path if place == "elsewhere" else folder

    def named() -> str:
        env = {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, input=line(start_message()), capture_output=True, check=True, cwd=cwd, env=env
        )
        return str(json.loads(done.stdout)["name"])

    assert named() == "2"
    (folder / "drapeau.toml").write_text('[bot]\nname = "x"\n')
    assert named() == "2"
    (folder / "drapeau.toml").write_text('[bot]\nname = "x"\n[bot.settings]\nplies = 3\n')
    assert named() == "3"


def test_unknown_messages_passed_over_end_of_input_ends() -> None:
    game = Conversation(First)
    assert answers(game, start_message(), {"type": "weather", "sun": True}) == [
        {"type": "ready", "wants": {"legal": True, "view": "full"}}
    ]
    assert not game.over


EARLY = line(act_message("turn", legal=["a1a2"]))


@pytest.mark.parametrize("garbage", [b"hello\n", b"[1]\n", b"{}\n", b"\xff\n", b"\n", EARLY])
def test_garbage_from_the_platform_is_named(garbage: bytes) -> None:
    said = "before the game started" if garbage == EARLY else "the platform sent a line that is not"
    with pytest.raises(WireError, match=said):
        Conversation(First).receive(garbage)


def test_an_action_that_is_not_text_is_named() -> None:
    class Forgetful(First):
        def act(self, view, legal):
            return None

    game = Conversation(Forgetful)
    game.receive(line(start_message()))
    with pytest.raises(WireError, match="must give text, not None"):
        game.receive(line(act_message("turn", legal=["a1a2"])))


def test_a_missing_method_is_named() -> None:
    game = Conversation(type("Lazy", (Bot,), {}))
    game.receive(line(start_message()))
    for phase, said in (("deploy", r"deploy\(self, view\)"), ("turn", r"act\(self, view, legal\)")):
        with pytest.raises(NotImplementedError, match=f"Lazy needs a method {said}"):
            game.receive(line(act_message(phase)))


def test_same_seed_and_seat_give_same_chance() -> None:
    class Dice(First):
        def act(self, view: DuelView, legal: Sequence[str]) -> str:
            return str(self.rng.random())

    def rolls(seat: str, rng_seed: int) -> list[object]:
        start = start_message(seat=seat, rng_seed=rng_seed)
        return answers(Conversation(Dice), start, act_message("turn"), act_message("turn"))

    assert rolls("red", 7) == rolls("red", 7)
    assert rolls("red", 7) != rolls("blue", 7)
    assert rolls("red", 7) != rolls("red", 8)


NOISY = """
import os, subprocess, sys
from botkit import Bot, run
class Noisy(Bot):
    def act(self, view, legal):
        print("thinking")
        os.write(1, b"from below\\n")
        subprocess.run(["echo", "from a child"])
        return legal[0]
run(Noisy)
"""


def test_bot_prints_go_to_log_not_into_protocol(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(NOISY)
    lines = [start_message(), act_message("turn", legal=["a1a2"]), end_message()]
    done = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        input=b"".join(map(line, lines)),
        capture_output=True,
        check=True,
        timeout=30,
    )
    assert [json.loads(answer) for answer in done.stdout.splitlines()] == [
        {"type": "ready", "wants": {"legal": True, "view": "full"}},
        {"action": "a1a2"},
    ]
    assert sorted(done.stderr.splitlines()) == [b"from a child", b"from below", b"thinking"]
