"""The command line `drapeau`, for authors of bots. Unlike the SDK it needs the extra `cli`."""

import sys
from collections.abc import Sequence

from botkit.exit_statuses import INTERRUPTED, USAGE

EXTRA = ("click", "rich")
MISSING = "drapeau needs {name}. Install what the command needs: pip install {all}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; docs/reference/commands.md lists them."""
    try:
        from botkit.commands import run  # noqa: PLC0415 - says in one line what is not installed

        return run(arguments)
    except ModuleNotFoundError as problem:
        if problem.name not in EXTRA:
            raise
        sys.stderr.write(MISSING.format(name=problem.name, all=" ".join(EXTRA)))
        return USAGE
    except KeyboardInterrupt:  # while the commands are read
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
