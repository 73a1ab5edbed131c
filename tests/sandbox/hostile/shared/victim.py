"""The good bot that sits opposite: it thinks a little, plays on, and logs what it said."""

import time
from pathlib import Path

import wire

THINKS_CPU_S = float(Path(__file__).with_name("thinks").read_text())
SLEEPS_S = 0.05  # leaves a gap in which an opponent can do harm

while (message := wire.hear()) and message["type"] != "end":
    answer = wire.good_answer(message)
    if message["type"] == "act":
        wire.note(answer)
        wire.burn(THINKS_CPU_S)
    if message.get("phase") == "turn":
        time.sleep(SLEEPS_S)
    wire.say(answer)
