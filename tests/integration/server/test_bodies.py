import asyncio
import json

import pytest
from django.conf import settings
from django.urls import URLPattern, get_resolver
from prometheus_client import REGISTRY

from arena.api.parsers import FORM_OVERHEAD_BYTES, JSON_BODY_BYTES, JSON_ESCAPE_BYTES, UploadParser
from arena.server import bodies
from arena.server.bodies import LIMITS, SMALL_BYTES, BodyLimits, limit_of
from tests.tree import ROOT

LIMIT_BYTES = SMALL_BYTES
API, PAGE, UPLOAD = "/api/v1/tokens", "/accounts/login/", "/bots/new/"
CHUNK = b"x" * (LIMIT_BYTES // 2)


class Client:
    """Plays one request, chunk by chunk, against an ASGI application."""

    def __init__(self, *chunks, stated=True, path=API, expects=False, host=None):
        self.chunks = list(chunks)
        self.path = path
        self.client = (host, 0) if host else None
        size = str(sum(map(len, self.chunks))).encode()
        length = (b"content-length", size) if stated else (b"transfer-encoding", b"chunked")
        self.headers = [length] + [(b"expect", b"100-continue")] * expects
        self.sent = []
        self.left_at_the_answer = None

    async def receive(self):
        if not self.chunks:
            return {"type": "http.disconnect"}
        body = self.chunks.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(self.chunks)}

    async def send(self, message):
        if not self.sent:
            self.left_at_the_answer = len(self.chunks)
        self.sent.append(message)

    async def play(self, limits):
        scope = {"type": "http", "path": self.path, "headers": self.headers, "client": self.client}
        await limits(scope, self.receive, self.send)

    def ask(self, app):
        asyncio.run(self.play(BodyLimits(app)))
        return self.sent[0], b"".join(message["body"] for message in self.sent[1:])


def refused(reason):
    return REGISTRY.get_sample_value("drapeau_http_refused_total", {"reason": reason})


async def echo(scope, receive, send):
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        if not message["more_body"]:
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


async def unreachable(scope, receive, send):
    raise AssertionError


def test_a_body_of_exactly_the_limit_passes_whole():
    start, body = Client(CHUNK, CHUNK).ask(echo)

    assert start["status"] == 200
    assert body == CHUNK * 2


@pytest.mark.parametrize("stated", [True, False])
def test_a_larger_body_is_refused_as_problem_json(stated):
    client = Client(CHUNK, CHUNK + b"x", b"and more", stated=stated)
    before = refused("body_too_large")

    start, body = client.ask(echo)

    assert start["status"] == 413
    assert refused("body_too_large") == before + 1
    assert dict(start["headers"])[b"content-type"] == b"application/problem+json"
    problem = json.loads(body)
    assert problem["code"] == "body_too_large"
    assert problem["limit_bytes"] == LIMIT_BYTES
    assert client.chunks == []  # read to the end, so that the client sees the answer


def test_outside_the_api_the_refusal_is_a_page():
    start, body = Client(CHUNK * 3, path=PAGE).ask(unreachable)

    assert start["status"] == 413
    assert dict(start["headers"])[b"content-type"] == b"text/html; charset=utf-8"
    assert b"This is too large" in body
    assert b"Nothing was changed" in body


def test_what_states_too_much_is_refused_before_reading():
    stating, asking = Client(CHUNK, CHUNK, CHUNK), Client(CHUNK * 3, expects=True)

    answers = [client.ask(unreachable)[0]["status"] for client in (stating, asking)]

    assert answers == [413, 413]
    assert stating.left_at_the_answer == 3
    assert asking.chunks == [CHUNK * 3]


def test_an_endless_body_is_cut(monkeypatch):
    monkeypatch.setattr(bodies, "DRAIN_BYTES", 4 * LIMIT_BYTES)
    client = Client(*[CHUNK] * 100, stated=False)

    start, _ = client.ask(echo)

    assert start["status"] == 413
    assert len(client.chunks) == 100 - 3 - 8  # up to the limit, then what is dropped


def test_silent_client_is_not_awaited_after_answer(monkeypatch):
    monkeypatch.setattr(bodies, "DRAIN_S", 0.01)

    class Silent(Client):
        async def receive(self):
            await asyncio.Event().wait()

    start, _ = Silent(CHUNK * 3).ask(unreachable)

    assert start["status"] == 413


def play_at_once(*clients, late=()):
    """Let clients send all at the same time, and others when these have finished."""

    async def play():
        go_on = asyncio.Event()

        async def slow(scope, receive, send):
            await go_on.wait()
            await echo(scope, receive, send)

        limits = BodyLimits(slow)
        plays = [asyncio.create_task(client.play(limits)) for client in clients]
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*plays)
        for client in late:
            await client.play(limits)

    asyncio.run(play())
    return [client.sent[0]["status"] for client in (*clients, *late)]


def uploads(*hosts):
    return [Client(CHUNK * 3, path=UPLOAD, host=host) for host in hosts]


def test_uploads_at_once_are_limited_by_places(monkeypatch):
    monkeypatch.setattr(bodies, "LARGE_AT_ONCE", 2)
    clients = uploads("192.0.2.1", "192.0.2.2", "192.0.2.3")
    small = Client(CHUNK, path=UPLOAD, host="192.0.2.4")
    before = refused("uploads_full")

    answers = play_at_once(*clients, small, late=uploads("192.0.2.3"))

    assert answers == [200, 200, 503, 200, 200]
    assert refused("uploads_full") == before + 1
    assert dict(clients[2].sent[0]["headers"])[b"retry-after"] == b"5"


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ("192.0.2.1", "192.0.2.2"),
        ("::ffff:192.0.2.1", "192.0.2.2"),
        ("2001:db8:0:1::1", "2001:db8:0:2::1"),
    ],
)
def test_one_address_has_a_share_of_the_places(mine, other):
    clients = uploads(*[mine] * 5, other)
    small = Client(CHUNK, path=UPLOAD, host=mine)

    answers = play_at_once(*clients, small, late=uploads(mine))

    assert answers == [200, 200, 200, 200, 503, 200, 200, 200]
    assert dict(clients[4].sent[0]["headers"])[b"retry-after"] == b"5"


def test_addresses_of_one_home_share_one_limit():
    path = "/api/v1/bots/ada/hopper/versions"
    hosts = [f"2001:db8:0:1:{number}::1" for number in range(5)]
    clients = [Client(CHUNK * 3, path=path, host=host) for host in hosts]

    assert play_at_once(*clients) == [200, 200, 200, 200, 503]
    problem = json.loads(clients[4].sent[1]["body"])
    assert "4 uploads from your address" in problem["detail"]
    assert "again" in problem["hint"]


def test_other_scopes_and_bodyless_requests_pass_untouched():
    seen = []

    async def app(scope, receive, send):
        seen.append((scope["type"], receive))

    async def play():
        for scope in ({"type": "lifespan"}, {"type": "http", "headers": []}):
            await BodyLimits(app)(scope, client.receive, client.send)

    client = Client()
    asyncio.run(play())

    assert seen == [("lifespan", client.receive), ("http", client.receive)]


def routes(patterns=None, names=()):
    """Yield the name and the view of every route."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLPattern):
            yield ":".join([*names, each.name or ""]), each.callback
        else:
            inner = [each.namespace] if each.namespace else []
            yield from routes(each.url_patterns, (*names, *inner))


def needed_bytes(view):
    """Return how many bytes the parsers of an API view may read; 0 for a page."""
    if (cls := getattr(view, "cls", None)) is None or not hasattr(cls, "text_limit_bytes"):
        return 0
    given = view.initkwargs
    if UploadParser in given.get("parser_classes", cls.parser_classes):
        return cls.upload_limit_bytes + FORM_OVERHEAD_BYTES
    text_bytes = given.get("text_limit_bytes", cls.text_limit_bytes)
    return JSON_BODY_BYTES + text_bytes * JSON_ESCAPE_BYTES


def test_every_route_has_limit_its_view_needs():
    large = set()
    seen = 0
    for name, view in routes():
        seen += 1
        limit_bytes = LIMITS.get(name, SMALL_BYTES)
        assert needed_bytes(view) <= limit_bytes <= settings.BODY_MAX_BYTES, name
        if needed_bytes(view) > SMALL_BYTES:
            large.add(name)
    forms = {"bot-new", "version-new", "tournament-take-list"}

    assert seen > 150
    assert set(LIMITS) == large | forms
    assert set(LIMITS) <= {name for name, _ in routes()}


def test_every_form_with_file_is_in_table():
    """A page that gets such a form needs a row in the table, and a line here."""
    templates = ROOT / "arena" / "templates"
    with_file = {
        str(path.relative_to(templates))
        for path in templates.rglob("*.html")
        if "multipart/form-data" in path.read_text()
    }

    assert with_file == {
        "bots/new.html",
        "bots/new_version.html",
        "tournaments/_imports.html",
    }


@pytest.mark.parametrize(
    ("path", "limit_bytes"),
    [
        ("/bots/new/", settings.BODY_MAX_BYTES),
        ("/bots/ada/hopper/versions/new/", settings.BODY_MAX_BYTES),
        ("/api/v1/bots/ada/hopper/versions", settings.BODY_MAX_BYTES),
        ("/tournaments/cup/entrants/list/", LIMITS["tournament-take-list"]),
        ("/api/v1/tournaments/cup/take-list", LIMITS["api-tournament-take-list"]),
        ("/accounts/login/", SMALL_BYTES),
        ("/api/v1/tokens", SMALL_BYTES),
        ("/nowhere", SMALL_BYTES),
        ("/api/v1/nowhere", SMALL_BYTES),
    ],
)
def test_an_address_has_the_limit_of_its_route(path, limit_bytes):
    assert limit_of(path) == limit_bytes
