"""Experiments that try to reach the network."""

import socket
from pathlib import Path

ADDRESSES = ("192.0.2.1", "169.254.169.254")  # a reserved one, and the clouds' credential service
WAIT_S = 0.3
HEADER_LINES = 2  # of /proc/net/dev


def network() -> tuple[bool, str]:
    lines = Path("/proc/net/dev").read_text().splitlines()[HEADER_LINES:]
    interfaces = {line.partition(":")[0].strip() for line in lines} - {"lo"}
    ways = [way for way in map(_way_out, ADDRESSES) if way]
    if interfaces:
        ways.append(f"interfaces {', '.join(sorted(interfaces))}")
    return not ways, "; ".join(ways) or "no way out"


def _way_out(address: str) -> str:
    """Return how far a connection got; empty if it was stopped on this side."""
    try:
        with socket.create_connection((address, 80), WAIT_S):
            return f"{address} answers"
    except TimeoutError:
        return f"packets to {address} leave"
    except OSError:
        return ""
