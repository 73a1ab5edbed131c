"""A program that tries doors, run as a bot by `sandbox.doctor`, never imported by it.

Answers the first line it is asked with one line of JSON: for each check, whether the door was shut
and what was seen. Standard library only. Children that it starts wait to be killed with it.
"""

import contextlib
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

FORKS_TRIED = 300
FEW_PROCESSES = 8
FILE_TRIED_BYTES = 32 << 20
PLACES = ("", "usr", "etc", "opt", "bot", "dev/shm", "var/tmp", "sys", "proc/sys")  # below /
SECRETS = ("/etc/shadow", "/root", "/home", "/var/lib/docker", "/run/docker.sock")
ADDRESSES = ("192.0.2.1", "169.254.169.254")  # a reserved one, and where clouds keep credentials
NETWORK_WAIT_S = 0.3


def network() -> tuple[bool, str]:
    interfaces = [name for _, name in socket.if_nameindex() if name != "lo"]
    for address in ADDRESSES:
        with socket.socket() as out:
            out.settimeout(NETWORK_WAIT_S)
            try:
                out.connect((address, 80))
            except TimeoutError:
                return False, f"packets to {address} leave"
            except OSError:
                continue
            return False, f"{address} answers"
    return not interfaces, "no way out" if not interfaces else f"interfaces {interfaces}"


def odd_sockets() -> tuple[bool, str]:
    opened = []
    for name, family, kind in (("AF_VSOCK", 40, socket.SOCK_STREAM), ("AF_ALG", 38, 5)):
        with contextlib.suppress(OSError), socket.socket(family, kind):
            opened.append(name)
    return not opened, f"{' and '.join(opened)} can be opened" if opened else "none can be opened"


def read_only() -> tuple[bool, str]:
    written = []
    for place in PLACES:
        path = Path("/", place) / "left-behind-by-probe"
        with contextlib.suppress(OSError):
            path.touch()
            path.unlink()
            written.append(f"/{place}")
    return not written, f"could write to {', '.join(written)}" if written else "nothing but /tmp"


def host_files() -> tuple[bool, str]:
    seen = []
    for place in SECRETS:
        path = Path(place)
        with contextlib.suppress(OSError):
            first = next(path.iterdir(), None) if path.is_dir() else path.open("rb").name
            # An interpreter may live below such a folder; then that alone is shown of it.
            if first is not None and not Path(sys.base_prefix).is_relative_to(first):
                seen.append(place)
    return not seen, f"could read {', '.join(seen)}" if seen else "none of the host"


def processes_seen() -> tuple[bool, str]:
    seen = sum(path.name.isdigit() for path in Path("/proc").iterdir())
    return seen <= FEW_PROCESSES, f"sees {seen} processes"


def tasks(cap: int) -> tuple[bool, str]:
    started: list[int] = []
    try:
        while len(started) < FORKS_TRIED:
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            started.append(child)
    except OSError:
        pass
    for child in started:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return len(started) <= cap, f"{len(started)} processes started"


def file_size() -> tuple[bool, str]:
    path = Path(os.environ["TMPDIR"]) / "large"
    try:
        path.write_bytes(b"x")
    except OSError:
        return False, "no place to write any file"
    try:
        path.write_bytes(b"x" * FILE_TRIED_BYTES)
    except OSError as error:
        return True, os.strerror(error.errno or 0)
    finally:
        path.unlink(missing_ok=True)
    return False, f"{FILE_TRIED_BYTES >> 20} MiB were written"


def status(field: str) -> str:
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return value.strip()
    return ""


def main() -> None:
    """Try everything once."""
    order = json.loads(sys.stdin.readline())
    caps = {name: int(status(name), 16) for name in ("CapEff", "CapBnd")}
    found = {
        "network": network(),
        "odd_sockets": odd_sockets(),
        "read_only": read_only(),
        "host_files": host_files(),
        "processes_seen": processes_seen(),
        "file_size": file_size(),
        "own_user": (os.getuid() != order["uid"] and os.getuid() != 0, f"uid {os.getuid()}"),
        "capabilities": (
            not any(caps.values()),
            f"CapEff {caps['CapEff']:x}, CapBnd {caps['CapBnd']:x}",
        ),
        "no_new_privileges": (status("NoNewPrivs") == "1", f"NoNewPrivs {status('NoNewPrivs')}"),
        "seccomp": (status("Seccomp") == "2", f"Seccomp {status('Seccomp')}"),
        "tasks": tasks(order["tasks"]),
    }
    sys.stdout.write(json.dumps(found) + "\n")


main()
