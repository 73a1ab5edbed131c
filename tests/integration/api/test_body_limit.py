import asyncio
import json

import pytest

from arena.api.body_limit import DRAIN_FACTOR, BodyLimit

LIMIT_BYTES = 10


class Client:
    """Plays one request, chunk by chunk, against an ASGI application."""

    def __init__(self, *chunks, stated=True):
        self.chunks = list(chunks)
        self.stated = stated
        self.sent = []

    async def receive(self):
        if not self.chunks:
            return {"type": "http.disconnect"}
        body = self.chunks.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(self.chunks)}

    async def send(self, message):
        self.sent.append(message)

    def ask(self, app):
        size = str(sum(map(len, self.chunks))).encode()
        headers = [(b"content-length", size)] if self.stated else []
        scope = {"type": "http", "headers": headers}
        asyncio.run(BodyLimit(app, limit_bytes=LIMIT_BYTES)(scope, self.receive, self.send))
        return self.sent


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


def test_a_body_of_exactly_the_limit_passes_whole():
    sent = Client(b"12345", b"67890").ask(echo)

    assert sent[0]["status"] == 200
    assert sent[1]["body"] == b"1234567890"


@pytest.mark.parametrize("stated", [True, False])
def test_a_larger_body_is_refused_as_problem_json(stated):
    client = Client(b"12345", b"678901", b"and more", stated=stated)

    start, body = client.ask(echo)

    assert start["status"] == 413
    assert dict(start["headers"])[b"content-type"] == b"application/problem+json"
    problem = json.loads(body["body"])
    assert problem["code"] == "body_too_large"
    assert problem["limit_bytes"] == LIMIT_BYTES
    assert client.chunks == []  # read to the end, so that the client sees the answer


def test_a_body_that_states_too_much_never_reaches_the_application():
    async def unreachable(scope, receive, send):
        raise AssertionError

    start, _ = Client(b"x" * (LIMIT_BYTES + 1)).ask(unreachable)

    assert start["status"] == 413


def test_an_endless_body_is_cut():
    client = Client(*[b"x" * LIMIT_BYTES] * (DRAIN_FACTOR * 2), stated=False)

    start, _ = client.ask(echo)

    assert start["status"] == 413
    assert len(client.chunks) == DRAIN_FACTOR


def test_other_scopes_pass_untouched():
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    client = Client()
    asyncio.run(BodyLimit(app, limit_bytes=1)({"type": "lifespan"}, client.receive, client.send))

    assert seen == ["lifespan"]
