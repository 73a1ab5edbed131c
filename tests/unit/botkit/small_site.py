"""A small HTTP server that answers as a test tells it, and remembers what it was asked."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class SmallSite:
    """What it answers, by method and path: a list gives one answer after the other, and its last
    one for ever. An answer is a status, a body (bytes, or what becomes JSON) and headers; None
    closes the connection without one.
    """

    url: str
    answers: dict[str, list[Any]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def tell(self, request: str, *answers: Any) -> None:
        """Set what it answers to a request such as `GET /api/v1/me`."""
        self.answers[request] = [
            each if isinstance(each, tuple) else (200, each) for each in answers
        ]

    def next_answer(self, request: Asked) -> tuple[Any, ...]:
        self.asked.append(request)
        left = self.answers.get(f"{request.method} {request.path.partition('?')[0]}")
        if left is None:
            left = [problem(404, "not_found", "There is no such thing", "Not found.")]
        found: tuple[Any, ...] = left.pop(0) if len(left) > 1 else left[0]
        return found


def problem(status: int, code: str, title: str, detail: str, hint: str = "", **more: Any) -> Any:
    """Return an answer with a problem, as the API has it."""
    words = {"title": title, "detail": detail, "code": code, "hint": hint, "errors": []}
    return status, {**words, **more}, {"Content-Type": "application/problem+json"}


def serve() -> tuple[SmallSite, ThreadingHTTPServer]:
    """Start one. The caller shuts the server down."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked = Asked(self.command, self.path, dict(self.headers), body)
            status, content, headers = (*site.next_answer(asked), {})[:3]
            if content is None and status == 0:
                self.close_connection = True
                return
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response_only(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 - of http.server

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = SmallSite(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return site, server


LOST = (0, None)  # the connection ends without an answer


# --- Rows of the API, as short as the commands need them ---

VERSIONS = "/api/v1/bots/ada/rook/versions"
BOT = {
    "owner": "ada", "slug": "rook", "name": "Rook", "active_version": 1, "is_paused": False,
    "tries_versions_first": False, "url": "/bots/ada/rook/",
}  # fmt: skip
ENTRY = {
    "ladder": "general", "version": 1, "rating": None, "games": 0, "wins": 0, "draws": 0,
    "losses": 0, "active": True, "idle": None,
}  # fmt: skip


def page(*rows):
    return {"next": None, "previous": None, "results": [*rows]}


def version(status, *, reason="", waiting_reason="", **states):
    checks = [
        {"step": step, "state": state, "message": f"told of {step}"}
        for step, state in states.items()
    ]
    return {
        "bot": "ada/rook", "number": 1, "status": status, "reason": reason, "is_active": True,
        "waiting_reason": waiting_reason, "pause_reason": "", "url": "/bots/ada/rook/versions/1/",
        "language": "python", "created_at": "2026-11-25T10:00:00Z", "checklist": checks,
    }  # fmt: skip


def match(number=1, **columns):
    return {
        "id": "m_1", "ladder": "general", "kind": "ladder", "status": "running",
        "created_at": "2026-11-25T10:00:00Z", "url": "/matches/m_1/",
        "entrants": [{"owner": "ada", "bot": "rook", "version": number, "points": 1.5}],
        "games": [{"number": 1, "url": "/matches/m_1/games/1/"}], **columns,
    }  # fmt: skip
