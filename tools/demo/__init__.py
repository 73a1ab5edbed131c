"""A whole arena on this machine with the house bots in it: `python -m tools.demo --help`."""

import signal
import sys

# Reading its programs takes a second. Ctrl-C then ends the demo without a traceback.
if sys.orig_argv[1:3] == ["-m", "tools.demo"] and (
    signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
