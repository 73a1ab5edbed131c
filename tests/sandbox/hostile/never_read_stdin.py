# verdict: startup_timeout | ms of wall time
# contained by: wall deadline
# levels: docker
"""Neither reads nor writes."""

import time

time.sleep(60)
