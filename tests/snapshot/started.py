"""Run a step of the snapshot in a process with a fixed clock: `started STEP ARGUMENTS...`."""

import importlib
import logging
import sys

import django

from tests.snapshot import steadiness

if __name__ == "__main__":
    steadiness.begin()
    django.setup()
    logging.disable(logging.WARNING)  # thousands of refusals are what is asked for
    importlib.import_module(f"{__package__}.{sys.argv[1]}").main(*sys.argv[2:])
