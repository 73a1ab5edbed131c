"""The web server as the product starts it, and clients that speak to it byte by byte."""

import contextlib
import os
import re
import selectors
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from arena.embedded.tcp import LOOPBACK, free_port
from tests.tree import ROOT
from tests.waiting import until

ENOUGH_S = 60.0  # for a busy machine; nothing here takes a tenth of it on an idle one
TCP_CLOSE = 7  # of linux/tcp_states.h
FOREIGN = ("DATABASE_URL", "DRAPEAU_BROKER_URL", "DRAPEAU_CACHE_URL")


class Server:
    """One `python -m arena.server` on an embedded database."""

    def __init__(self, folder, **variables):
        self.port = free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self.log = folder / f"web-{self.port}.log"
        self.clients = []
        command = ("-m", "arena.server", "--port", str(self.port))
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                (sys.executable, *command),
                cwd=ROOT,
                env=environment(folder, **variables),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        until(self.answers, "the server answers")

    def answers(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            return httpx2.get(f"{self.url}/healthz", timeout=5.0).status_code == 200
        except httpx2.TransportError:
            return False

    @property
    def resident_bytes(self):
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @property
    def temporary_bytes(self):
        """The size of the files that the process has open and that have no name any more."""
        return sum(
            entry.stat().st_size
            for entry, target in self._open_files()
            if target.endswith("(deleted)")
        )

    @property
    def open_sockets(self):
        return sum(target.startswith("socket:") for _, target in self._open_files())

    def _open_files(self):
        for entry in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                yield entry, str(entry.readlink())

    def connect(self, first=b"", *, window=None):
        """Return a client that has sent its first bytes, with a receive buffer of its own."""
        client = Client(socket.socket())
        self.clients.append(client)
        if window:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        client.socket.connect((LOOPBACK, self.port))
        client.send(first)
        return client

    def post(self, path, **kwargs):
        return httpx2.post(f"{self.url}{path}", timeout=ENOUGH_S, **kwargs)

    def hang_up(self):
        """Close what clients have open, and wait until the server knows it."""
        for client in self.clients:
            client.socket.close()
        self.clients.clear()
        until(self.answers, "an answer after all have hung up")

    def end(self):
        self.hang_up()
        self.process.terminate()
        self.process.wait(ENOUGH_S)


@dataclass
class Client:
    """A connection. `received` is what `listen` has read, `ended` whether the server is gone."""

    socket: socket.socket
    received: bytearray = field(default_factory=bytearray)
    ended: bool = False

    def send(self, data):
        """Send, and note when nobody listens any more."""
        try:
            self.socket.sendall(data)
        except OSError:
            self.ended = True

    @property
    def status(self):
        return int(self.received.split(b" ", 2)[1]) if self.received else None

    def read(self, most=65_536):
        try:
            data = self.socket.recv(most)
        except OSError:  # a reset
            data = b""
        self.received += data
        self.ended |= not data

    @property
    def has_all(self):
        """Whether the answer is here as a whole, as long as its head says."""
        head, _, body = self.received.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        return length is not None and len(body) >= int(length[1])

    def has_more_than(self, count):
        """Whether so many bytes have arrived, without reading them."""
        with contextlib.suppress(BlockingIOError):
            return len(self.socket.recv(65_536, socket.MSG_PEEK | socket.MSG_DONTWAIT)) > count
        return False

    @property
    def is_reset(self):
        """Whether the kernel knows that the server has cut this connection off."""
        info = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
        return info[0] == TCP_CLOSE


def listen(clients, within_s):
    """Read for so many seconds from all clients, or until the server has left all of them."""
    until = time.monotonic() + within_s
    with selectors.DefaultSelector() as selector:
        for client in clients:
            if not client.ended:
                selector.register(client.socket, selectors.EVENT_READ, client)
        while selector.get_map() and (left_s := until - time.monotonic()) > 0:
            for key, _ in selector.select(left_s):
                key.data.read()
                if key.data.ended:
                    selector.unregister(key.fileobj)


def environment(folder, **variables):
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "tests.e2e.server.settings",
        "DRAPEAU_DATA_DIR": str(folder),
        **variables,
    }
