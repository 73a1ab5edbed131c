"""The web door: who calls, how long a client may take, how much it may send."""

import os
import re
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import httpx2
import pytest

from arena.server.bodies import LARGE_AT_ONCE, LARGE_OF_ONE
from tests.e2e.server.serving import ENOUGH_S, Server, environment, listen
from tests.tree import ROOT
from tests.waiting import until

MIB = 1024 * 1024
PASSWORD = "correct horse battery"
GUESSES, REGISTRATIONS = 60, 30  # of an address in an hour
PLACES = 100
SHORT = {
    "DRAPEAU_HEAD_S": "5",
    "DRAPEAU_ANSWER_S": "5",
    "DRAPEAU_BODY_PAUSE_S": "8",
    "DRAPEAU_BODY_BYTES_PER_S": "1024",  # a client that sends more may have to wait for a turn
}
STEP_BYTES, STEPS = 24 * 1024, 10  # one a second: for longer than a body may pause

HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = HALF_A_HEAD + b"\r\n"
BIG_FILE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
BIG = f"GET {BIG_FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
SMALL_WINDOW = 4096
SCRAPE = "a token for the metrics"
HEAD_BYTES = 1024  # more than the head of an answer has


def post_head(path, length, caller="203.0.113.40"):
    size = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", f"X-Forwarded-For: {caller}", size)
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("site")
    migrate = (sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0")
    subprocess.run(migrate, check=True, cwd=ROOT, env=environment(path))
    return path


@pytest.fixture(scope="module")
def hasty(folder):
    """A server without proxies that waits a short time."""
    server = Server(folder, DRAPEAU_PROXIES="0", **SHORT)
    yield server
    server.end()


@pytest.fixture(scope="module")
def proxied(folder):
    """A server behind one proxy, with few places for connections and much patience."""
    patient = {"DRAPEAU_HEAD_S": "600", "DRAPEAU_BODY_PAUSE_S": "600"}
    places = {"DRAPEAU_CONNECTIONS": str(PLACES)}
    server = Server(folder, DRAPEAU_PROXIES="1", DRAPEAU_METRICS_TOKEN=SCRAPE, **patient, **places)
    yield server
    server.end()


def statuses(server, path, count, headers_of, body_of):
    """Return the statuses of so many calls, each with headers and a body of its own."""
    with httpx2.Client(base_url=server.url, timeout=ENOUGH_S) as client:
        return [
            client.post(path, json=body_of(number), headers=headers_of(number)).status_code
            for number in range(count)
        ]


def guess(number):
    return {"username": f"nobody{number}", "password": "wrong"}


def registration(number):
    return {"username": f"user{time.monotonic_ns()}-{number}", "password": PASSWORD}


def forged(number):
    """Return what a caller may say of itself: another address in each call."""
    address = f"203.0.113.{number}"
    return {"X-Forwarded-For": address, "Forwarded": f"for={address}", "X-Real-IP": address}


def forged_before(address):
    return lambda number: {"X-Forwarded-For": f"198.51.100.{number}, {address}"}


def over(count, most):
    """Whether a limit held: windows are hours of the clock, and one may end in between."""
    return most <= count <= 2 * most


CALLS = [
    ("/api/v1/tokens", guess, GUESSES, 401),
    ("/api/v1/users", registration, REGISTRATIONS, 201),
]


@pytest.mark.parametrize(("path", "body_of", "most", "taken"), CALLS)
def test_forged_headers_do_not_escape_a_limit(hasty, path, body_of, most, taken):
    answers = statuses(hasty, path, 2 * most + 1, forged, body_of)

    assert set(answers) == {taken, 429}
    assert over(answers.count(taken), most)


@pytest.mark.parametrize(("path", "body_of", "most", "taken"), CALLS)
def test_behind_a_proxy_each_caller_has_a_limit(proxied, path, body_of, most, taken):
    one = statuses(proxied, path, 2 * most + 1, forged_before("203.0.113.9"), body_of)
    other = statuses(proxied, path, 1, forged_before("203.0.113.10"), body_of)

    assert set(one) == {taken, 429}
    assert over(one.count(taken), most)
    assert other == [taken]


def sign_in_page(server, scheme):
    """Return the answer to a form of a page at an address, as if over a scheme."""
    with httpx2.Client(base_url=server.url, timeout=ENOUGH_S) as client:
        headers = {"X-Forwarded-Proto": scheme, "X-Forwarded-For": "203.0.113.20"}
        client.get("/accounts/login/", headers=headers)
        form = {"csrfmiddlewaretoken": client.cookies["csrftoken"], "login": "a", "password": "b"}
        origin = {"Origin": f"https://127.0.0.1:{server.port}"}
        return client.post("/accounts/login/", data=form, headers=headers | origin).status_code


def test_only_trusted_proxy_says_request_was_https(hasty, proxied):
    """A form from an https page is refused where the request came over http."""
    assert sign_in_page(proxied, "https") == 200
    assert sign_in_page(proxied, "http") == 403
    assert sign_in_page(hasty, "https") == 403


class Steady(threading.Thread):
    """A client that does something every second until it is told to end."""

    def __init__(self, step):
        super().__init__(daemon=True)
        self.step = step
        self.failure = None
        self.done = threading.Event()

    def run(self):
        try:
            while not self.done.wait(1.0):
                self.step()
        except Exception as exc:  # noqa: BLE001 - the test shows it
            self.failure = exc

    def end(self):
        self.done.set()
        self.join(ENOUGH_S)
        assert self.failure is None, self.failure


def slow_clients(server):
    """Open connections of every kind that a server must end."""
    login = post_head("/accounts/login/", 1000)
    return SimpleNamespace(
        silent=[server.connect() for _ in range(100)],
        half=[server.connect(HALF_A_HEAD) for _ in range(100)],
        dripping_heads=[server.connect(HALF_A_HEAD) for _ in range(20)],
        stalled=[server.connect(login + b"x") for _ in range(20)],
        dripping=[server.connect(login) for _ in range(20)],
        idle=[server.connect(WHOLE) for _ in range(20)],
        deaf=[server.connect(BIG * 4, window=SMALL_WINDOW) for _ in range(5)],
    )


def steady_steps(server, told, upload, reader):
    """Return what happens every second beside them: they drip, and honest clients go on."""
    steps = iter(range(STEPS))

    def drip():
        for client in told.dripping_heads:
            client.send(b"X: y\r\n")
        for client in told.dripping:
            client.send(b"x")

    def send_some():
        if next(steps, None) is not None:
            upload.send(b"x" * STEP_BYTES)

    def read_some():
        for _ in range(40):
            if not reader.has_all:
                reader.read(SMALL_WINDOW)

    def ask():
        httpx2.get(f"{server.url}/healthz", timeout=ENOUGH_S).raise_for_status()

    return drip, send_some, read_some, ask


def test_slow_clients_are_ended_and_honest_served(hasty):
    told = slow_clients(hasty)
    upload = hasty.connect(post_head("/bots/new/", STEPS * STEP_BYTES))
    reader = hasty.connect(BIG, window=SMALL_WINDOW)
    steady = [Steady(step) for step in steady_steps(hasty, told, upload, reader)]
    for each in steady:
        each.start()
    hearing = [
        *(*told.silent, *told.half, *told.dripping_heads),
        *(*told.stalled, *told.dripping, *told.idle),
    ]
    listen([*hearing, upload], ENOUGH_S)
    until(lambda: all(client.is_reset for client in told.deaf), "the deaf are cut off")
    until(lambda: reader.has_all or reader.ended, "the end of a slow download")
    for each in steady:
        each.end()

    assert hasty.open_sockets < 20
    assert all(client.ended for client in hearing)
    assert {bytes(client.received) for client in told.silent} == {b""}
    assert {client.status for client in (*told.half, *told.stalled)} == {408}
    assert {client.status for client in (*told.dripping_heads, *told.dripping)} <= {408, None}
    assert {client.status for client in told.idle} == {200}
    assert upload.status == 403  # without the token of the form, which was read whole
    assert (reader.status, reader.has_all) == (200, True)


def test_silent_connections_give_way_to_others(proxied):
    for _ in range(3 * PLACES):
        proxied.connect(HALF_A_HEAD)

    def served():
        client = proxied.connect(WHOLE)
        listen([client], 1.0)
        return client.status == 200

    until(served, "an answer beside silent connections")

    assert proxied.open_sockets < 2 * PLACES
    proxied.hang_up()


def test_full_server_tells_one_more_to_retry(proxied):
    begun = post_head("/accounts/login/", 1000) + b"x"
    for _ in range(PLACES + 20):
        proxied.connect(begun)
    told = []

    def refused():
        told.append(proxied.connect(WHOLE))
        listen(told[-1:], 1.0)
        return told[-1].status == 503

    until(refused, "a refusal")
    assert b"Retry-After: 5" in told[-1].received
    proxied.hang_up()
    scraped = httpx2.get(
        f"{proxied.url}/metrics", timeout=ENOUGH_S, headers={"Authorization": f"Bearer {SCRAPE}"}
    ).text
    counted = re.search(r'refused_total\{reason="connections_full"\} (\S+)', scraped)
    assert counted
    assert float(counted[1]) >= 1
    assert 'drapeau_http_requests_total{method="GET",route="healthz",status="200"}' in scraped


def held_by(server, clients_of, *, listening=True):
    """Return how many bytes of memory and of files the process holds for clients.

    A server that has refused nothing yet loads what it answers with, which is held for nobody.
    """
    server.post("/accounts/login/", content=b"x" * MIB)
    before = server.resident_bytes
    clients = clients_of()
    if listening:
        listen(clients, 1.0)
    until(server.answers, "an answer beside them")
    held = server.resident_bytes - before, server.temporary_bytes
    server.hang_up()
    return held


@pytest.mark.parametrize("length", [6 * MIB, None])
def test_unfinished_sign_ins_hold_little(proxied, length):
    chunk = b"x" * (64 * 1024)
    body = chunk if length else b"10000\r\n" + chunk + b"\r\n"

    def sign_ins():
        clients = [proxied.connect(post_head("/accounts/login/", length)) for _ in range(50)]
        for client in clients:
            client.socket.settimeout(1.0)
            client.send(body * 80)  # 5 MiB of 6
        return clients

    memory, files = held_by(proxied, sign_ins)

    assert memory < 24 * MIB
    assert files == 0


@pytest.mark.parametrize(("addresses", "taken"), [(1, LARGE_OF_ONE), (40, LARGE_AT_ONCE)])
def test_unfinished_uploads_hold_files_for_a_limited_number(proxied, addresses, taken):
    def uploads():
        callers = [f"198.51.100.{number % addresses}" for number in range(40)]
        heads = [post_head("/bots/new/", 6 * MIB, caller) for caller in callers]
        clients = [proxied.connect(head) for head in heads]
        for client in clients:
            client.send(b"x" * (2 * MIB))
        until(lambda: proxied.temporary_bytes > 0, "a part of an upload in a file")
        return clients

    memory, files = held_by(proxied, uploads)

    assert memory < 48 * MIB
    assert 0 < files <= taken * 2 * MIB


def test_answers_that_nobody_reads_hold_little_memory(proxied):
    """Sixty copies of the file are 90 MiB."""

    def deaf():
        clients = [proxied.connect(BIG * 2, window=SMALL_WINDOW) for _ in range(60)]
        for client in clients:
            until(lambda client=client: client.has_more_than(HEAD_BYTES), "a part of the file")
        return clients

    memory, _ = held_by(proxied, deaf, listening=False)

    assert memory < 40 * MIB


def test_more_connections_than_files_refused_at_start(folder):
    command = (sys.executable, "-m", "arena.server")
    many = environment(folder, DRAPEAU_CONNECTIONS="2000000000")

    done = subprocess.run(command, check=False, cwd=ROOT, env=many, capture_output=True, text=True)

    assert done.returncode == 2
    assert "Set it lower" in done.stderr


def test_the_largest_upload_is_taken(proxied):
    user = registration(0)
    bearer = {"X-Forwarded-For": "203.0.113.30"}
    assert proxied.post("/api/v1/users", json=user, headers=bearer).status_code == 201
    token = proxied.post("/api/v1/tokens", json=user, headers=bearer).json()["token"]
    bearer["Authorization"] = f"Bearer {token}"
    bot = proxied.post("/api/v1/bots", json={"name": "Heavy"}, headers=bearer).json()
    address = f"/api/v1/bots/{user['username']}/{bot['slug']}/versions"

    def upload(size):
        file = {"file": ("bot.zip", os.urandom(size))}
        return proxied.post(address, files=file, headers=bearer).status_code

    assert upload(5 * MIB) == 202
    assert upload(5 * MIB + 128 * 1024) == 413  # the view says it
    assert upload(7 * MIB) == 413  # the server says it
