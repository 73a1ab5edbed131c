# verdict: plays
# contained by: CPU charge
# levels: docker
"""Has a thousand timers wake it for nothing."""

import signal

import wire

signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0.00001, 0.00001)
wire.play()
