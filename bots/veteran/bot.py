"""Veteran: a program that speaks the UCC protocol of 2012, and the adapter in front of it."""

import sys
from pathlib import Path

from botkit import run
from botkit.ucc import UccBot


class Veteran(UccBot):
    """The program in `program.py`, in a process of its own."""

    command = (sys.executable, str(Path(__file__).with_name("program.py")))


if __name__ == "__main__":
    run(Veteran)
