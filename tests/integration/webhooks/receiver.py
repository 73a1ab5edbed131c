"""A receiver of webhooks on this host that answers as it is told, and keeps what it gets."""

import http.server
import ssl
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_network

LOOPBACK = "127.0.0.1"


@dataclass
class Request:
    """A request with its headers by lower-case name."""

    path: str
    headers: dict[str, str]
    body: str


class Receiver(http.server.ThreadingHTTPServer):
    """Answers every request with a status, headers and a body.

    With a `reply` of raw bytes it sends these instead. With `dribbles` it sends a header byte by
    byte, and never ends. With `hangs` it says nothing.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, *, status=200, headers=(), answer=b"well", reply=b"", hangs="", tls=None):
        super().__init__((LOOPBACK, 0), _Handler)
        self.status, self.headers, self.answer, self.reply = status, dict(headers), answer, reply
        self.hangs = hangs
        self.requests = []
        self.at_once = self.most_at_once = 0
        self.ended = threading.Event()
        self.scheme = "https" if tls else "http"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    @property
    def url(self):
        return f"{self.scheme}://{LOOPBACK}:{self.server_port}/hook?a=1"

    def handle_error(self, request, client_address):
        """Log nothing: that clients go away is what is tested."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self):
        server = self.server
        server.at_once += 1
        server.most_at_once = max(server.most_at_once, server.at_once)
        length = int(self.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        server.requests.append(Request(self.path, headers, self.rfile.read(length).decode()))
        try:
            self._answer()
        finally:
            server.at_once -= 1

    def _answer(self):
        server = self.server
        if server.hangs == "silent":
            server.ended.wait()
        elif server.hangs == "dribbles":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not server.ended.wait(0.05):
                self.wfile.write(b"x")
        elif server.reply:
            self.wfile.write(server.reply)
        else:
            self.send_response(server.status)
            for name, value in server.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(server.answer)))
            self.end_headers()
            self.wfile.write(server.answer)

    def log_message(self, *_said):
        """Print nothing."""


@contextmanager
def receiver(settings, **options):
    """Run a receiver, whose address the site allows."""
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    server = Receiver(**options)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
