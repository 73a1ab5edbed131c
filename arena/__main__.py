"""The command of the server: `python -m arena`, or `drapeau-server` where it is installed."""

import sys

import click

from arena.embedded.command import back_up, manage, restore, up
from arena.embedded.interrupts import end_as_ctrl_c_does
from botkit.commands import run

server = click.Group(
    "drapeau-server",
    commands=[up, manage, back_up, restore],
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A whole site on this machine.",
)


def main() -> int:
    """Run one command and return its exit status."""
    end_as_ctrl_c_does()
    return run(command=server, name=None)


if __name__ == "__main__":
    sys.exit(main())
