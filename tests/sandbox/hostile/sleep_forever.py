# verdict: timeout | ms of wall time
# contained by: wall deadline
# levels: docker, process
"""Is ready in time, then sleeps over its move."""

import time

import wire

wire.begin()
time.sleep(60)
