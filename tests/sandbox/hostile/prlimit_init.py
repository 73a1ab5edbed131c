# verdict: plays | kept in
# contained by: system-call filter
# levels: docker
"""Tries to end process 1 by a limit, which would make a lost game void, or to have it die late."""

import os
import resource

import wire

IDLE = os.sched_param(0)
resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))  # its own it may set


def raise_own(limit, value):
    try:
        resource.setrlimit(limit, (value, value))
    except ValueError as refusal:  # what Python makes of this EPERM
        raise OSError from refusal


wire.probe(
    {
        "cpu": lambda: resource.prlimit(1, resource.RLIMIT_CPU, (1, 1)),
        "files": lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (4, 4)),
        "more files": lambda: raise_own(resource.RLIMIT_NOFILE, 4096),
        "more memory locked": lambda: raise_own(resource.RLIMIT_MEMLOCK, 1 << 20),
        "idle class": lambda: os.sched_setscheduler(1, os.SCHED_IDLE, IDLE),
        "parameters": lambda: os.sched_setparam(1, IDLE),
        "one core": lambda: os.sched_setaffinity(1, {0}),
        "niceness": lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        "niceness of its user": lambda: os.setpriority(os.PRIO_USER, 0, 19),
        "niceness of its group": lambda: os.setpriority(os.PRIO_PGRP, 1, 19),
        "disk last": lambda: wire.syscall(251, 1, 1, 3 << 13),  # ioprio_set, idle
    }
)
