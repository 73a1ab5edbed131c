"""Hosts on one machine: network namespaces on a bridge, on which the stores listen as well."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.faults.site import Host
from tests.sandbox.attack.private_engine import PrivateEngine
from tools.services.packages import FAKETIME, path_of

CUT_OFF, WRONG_CLOCK, LOST_ENGINE = NAMES = ("runner-1", "runner-2", "runner-3")
AHEAD_S = 600
WRONG_CLOCK_CODE = Path(__file__).with_name("wrong_clock")


class Network:
    """A bridge with an address, and a namespace with a cable to it for each name."""

    def __init__(self, names: Sequence[str]) -> None:
        # Several of them may be on one machine, and the names of devices are short.
        self._id = f"dp{os.getpid()}"
        self._names = names
        self._subnet = f"10.213.{os.getpid() % 256}"
        self.address = f"{self._subnet}.1"

    def __enter__(self) -> Self:
        _ip("link", "add", self._id, "type", "bridge")
        _ip("address", "add", f"{self.address}/24", "dev", self._id)
        _ip("link", "set", self._id, "up")
        for number, name in enumerate(self._names):
            space, cable = self._space(name), self._cable(name)
            _ip("netns", "add", space)
            _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
            _ip("link", "set", cable, "master", self._id, "up")
            _ip("-n", space, "address", "add", f"{self._subnet}.{number + 2}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-n", space, "link", "set", device, "up")
        return self

    def __exit__(self, *_exc: object) -> None:
        for name in self._names:
            _ip("netns", "delete", self._space(name), check=False)
        _ip("link", "delete", self._id, check=False)

    def inside(self, name: str) -> tuple[str, ...]:
        """Return what before a command runs it on a host. Unlike `ip netns exec` it leaves /sys."""
        return ("nsenter", f"--net=/run/netns/{self._space(name)}")

    def cut(self, name: str) -> None:
        """Pull the cable of a host at the other end: nobody is told that connections are gone."""
        _ip("link", "set", self._cable(name), "nomaster")

    def join(self, name: str) -> None:
        _ip("link", "set", self._cable(name), "master", self._id)

    def _space(self, name: str) -> str:
        return f"{self._id}-{name}"

    def _cable(self, name: str) -> str:
        return f"{self._id}-{self._names.index(name)}"


def _ip(*words: str, check: bool = True) -> None:
    subprocess.run(("ip", *words), check=check, capture_output=not check)


def hosts(network: Network, shared: PrivateEngine, killed: PrivateEngine) -> dict[str, Host]:
    """Return the three hosts. Two of them share an engine."""
    late = (str(path_of(FAKETIME)), "-f", f"+{AHEAD_S}")
    return {
        CUT_OFF: Host(shared.host, network.inside(CUT_OFF)),
        WRONG_CLOCK: Host(
            shared.host,
            (*network.inside(WRONG_CLOCK), *late),
            {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "PYTHONPATH": str(WRONG_CLOCK_CODE)},
        ),
        LOST_ENGINE: Host(killed.host, network.inside(LOST_ENGINE)),
    }
