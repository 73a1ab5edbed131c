"""Build the wheels for authors of bots: `python -m arena.wheels FOLDER`."""

import argparse
import sys
from hashlib import sha256
from pathlib import Path

from arena.wheels import build


def main() -> None:
    """Build them, and print the name and SHA-256 digest of each."""
    parser = argparse.ArgumentParser(prog="python -m arena.wheels", description=__doc__)
    parser.add_argument("folder", type=Path, help="where they go, in place of older ones")
    for wheel in build(parser.parse_args().folder):
        sys.stdout.write(f"{wheel} sha256:{sha256(wheel.read_bytes()).hexdigest()}\n")


if __name__ == "__main__":
    main()
