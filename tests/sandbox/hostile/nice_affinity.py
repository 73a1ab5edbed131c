# verdict: plays | kept in
# contained by: no capabilities, limits on priorities, system-call filter
# levels: docker, bubblewrap
"""Asks for more of the machine than others get."""

import os

import wire


def schedule(policy):
    os.sched_setscheduler(0, policy, os.sched_param(1))


wire.probe(
    {
        "nice": lambda: os.nice(-1),
        "less nice than others": lambda: os.nice(19),
        "one core": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
        "idle": lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
        "priority": lambda: os.setpriority(os.PRIO_USER, os.getuid(), -5),
        "fifo": lambda: schedule(os.SCHED_FIFO),
        "round robin": lambda: schedule(os.SCHED_RR),
        "disk first": lambda: wire.syscall(251, 1, 0, 1 << 13),  # ioprio_set, real time
    }
)
