# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Tries to put off its own death: process 1 gets the last place in the queue."""

import os

import wire

IDLE = os.sched_param(0)
wire.probe(
    {
        "idle class": lambda: os.sched_setscheduler(1, os.SCHED_IDLE, IDLE),
        "parameters": lambda: os.sched_setparam(1, IDLE),
        "one core": lambda: os.sched_setaffinity(1, {0}),
        "niceness": lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        "niceness of its user": lambda: os.setpriority(os.PRIO_USER, 0, 19),
        "niceness of its group": lambda: os.setpriority(os.PRIO_PGRP, 1, 19),
        "disk last": lambda: wire.syscall(251, 1, 1, 3 << 13),  # ioprio_set, idle
    }
)
