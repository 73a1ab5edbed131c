import signal
import sys
from pathlib import Path

# Reading the programs of the server takes a second. Ctrl-C then ends it without a traceback.
if {"arena", "drapeau-server"}.intersection(Path(word).name for word in sys.orig_argv[1:3]) and (
    signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from arena.celery_app import app as celery_app

__all__ = ["celery_app"]
