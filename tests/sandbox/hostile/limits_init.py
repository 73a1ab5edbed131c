# verdict: plays | kept out | docker
# ruff: noqa: T201
"""Tries to set a CPU limit for process 1: its end would make a lost game void."""

import resource
import sys


def attempt(process):
    try:
        resource.prlimit(process, resource.RLIMIT_CPU, (1, 1))
    except PermissionError:
        return False
    return True


for _line in sys.stdin:
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))  # its own it may set
    print("it can" if attempt(1) else "kept out")
