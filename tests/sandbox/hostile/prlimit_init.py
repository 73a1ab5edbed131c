# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Tries to set a CPU limit for process 1: its end would make a lost game void."""

import resource

import wire

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
    }
)
