"""compose.proxy.yaml, really started: nginx before two web processes."""

import os
import re
import signal
import socket
import ssl
import subprocess
from contextlib import ExitStack

import httpx2
import pytest

from arena.embedded.tcp import free_port
from tests.e2e.compose.stack import BUSY_S, build_images, running_stack
from tests.tree import ROOT, text

pytestmark = [pytest.mark.docker]

HOST = "localhost"
BODY_PAUSE_S = 2  # of the web processes; the proxy passes bodies on as they come
CONFIGURATION = text("deploy/proxy/nginx.conf")
(OF_ONE_ADDRESS,) = map(int, re.findall(r"limit_conn address (\d+);", CONFIGURATION))
UPLOAD = "/api/v1/bots/ann/raider/versions"  # allows a body of several MiB


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    environment = {**os.environ, "DRAPEAU_CERTIFICATES": str(folder)}
    command = (ROOT / "tools/certificates.sh", "site", HOST)
    subprocess.run(command, check=True, env=environment, capture_output=True)
    for path in (folder, *folder.iterdir()):
        os.chown(path, 1000, 1000)
    return folder


@pytest.fixture(scope="module")
def ports():
    return {"http": free_port(), "https": free_port()}


@pytest.fixture(scope="module")
def stack(certificates, ports):
    with running_stack(
        build_images(),
        "proxy",
        COMPOSE_FILE="compose.yaml:compose.proxy.yaml",
        DRAPEAU_CERTIFICATES=str(certificates),
        DRAPEAU_HTTP_LISTEN=f"127.0.0.1:{ports['http']}",
        DRAPEAU_HTTPS_LISTEN=f"127.0.0.1:{ports['https']}",
        DRAPEAU_BODY_PAUSE_S=str(BODY_PAUSE_S),
    ) as started:
        yield started


@pytest.fixture
def trust(certificates):
    return ssl.create_default_context(cafile=certificates / "ca.crt")


@pytest.fixture
def client(stack, ports, trust):
    with httpx2.Client(
        base_url=f"https://{HOST}:{ports['https']}", verify=trust, timeout=30
    ) as made:
        stack.stage.until(lambda: is_ready(made), within_s=BUSY_S, what="getting ready")
        yield made


@pytest.fixture
def connect(stack, client, ports, trust):
    """Return what opens a connection to the proxy that lasts as long as the test."""
    with ExitStack() as opened:

        def open_one():
            plain = socket.create_connection((HOST, ports["https"]), timeout=BUSY_S)
            return opened.enter_context(trust.wrap_socket(plain, server_hostname=HOST))

        yield open_one


def is_ready(client):
    try:
        return client.get("/readyz").status_code == 200
    except httpx2.TransportError:
        return False


def head(path, *, length):
    return (
        f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/octet-stream\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def answer(connection):
    """Return all that comes until the other side ends the connection."""
    received = b""
    while piece := connection.recv(65536):
        received += piece
    return received.decode()


def test_two_web_processes_answer_only_behind_the_proxy(stack, client):
    assert client.get("/").status_code == 200
    both = [word for n in (1, 2) for word in (f"{stack.project}-web-{n}", "healthy")]
    stack.stage.until(
        lambda: stack.compose("ps", "--format", "{{.Name}} {{.Health}}", "web").split() == both,
        within_s=BUSY_S,
        what="two healthy web processes",
    )
    web, proxy = stack.container("web"), stack.container("proxy")
    assert not web["HostConfig"]["PortBindings"]
    edge, back, front = (f"{stack.project}_{name}" for name in ("edge", "back", "front"))
    assert set(web["NetworkSettings"]["Networks"]) == {edge, back}
    assert set(proxy["NetworkSettings"]["Networks"]) == {edge, front}
    assert stack.network("edge")["Internal"]


def test_the_proxy_is_locked_down(stack, client):
    container = stack.container("proxy")
    host = container["HostConfig"]

    assert host["ReadonlyRootfs"]
    assert host["CapDrop"] == ["ALL"]
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert container["Config"]["User"] == "1000:1000"


def test_http_goes_to_https(client, ports):
    moved = httpx2.get(f"http://{HOST}:{ports['http']}/ladders/?page=2")

    assert moved.status_code == 308
    assert moved.headers["Location"] == f"https://{HOST}/ladders/?page=2"


def test_site_knows_it_is_reached_by_https(client):
    page = client.get("/accounts/login/", headers={"X-Forwarded-Proto": "http"})

    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "; Secure" in page.headers["Set-Cookie"]


def test_caller_cannot_choose_its_counted_address(client):
    statuses = [
        client.post(
            "/api/v1/users", json={}, headers={"X-Forwarded-For": f"192.0.2.{each}"}
        ).status_code
        for each in range(40)
    ]

    assert 429 in statuses  # the site allows one address 30 of these in an hour


def test_too_large_body_is_refused_by_proxy(client, connect):
    connection = connect()
    connection.sendall(head(UPLOAD, length=6 * 2**20 + 1))

    said = answer(connection)
    assert said.startswith("HTTP/1.1 413 ")
    assert "Server: nginx" in said
    assert "<center>nginx</center>" in said


def test_allowed_body_reaches_the_site(client):
    reply = client.post(UPLOAD, content=b"x" * 6 * 2**20)

    assert reply.status_code == 401
    assert reply.headers["Content-Type"] == "application/problem+json"


def test_body_sent_byte_by_byte_is_ended(connect):
    connection = connect()
    connection.sendall(head("/api/v1/users", length=1000) + b"x")

    assert answer(connection).startswith("HTTP/1.1 408 ")


def test_a_head_that_never_ends_is_ended(connect):
    connection = connect()
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")

    assert answer(connection) == ""


def test_static_files_are_compressed_and_kept(client):
    (sheet, *_) = re.findall(r'href="(/static/[^"]+\.css)"', client.get("/").text)
    served = [client.get(sheet, headers={"Accept-Encoding": "gzip"}) for _each in range(3)]

    assert {each.headers["Content-Encoding"] for each in served} == {"gzip"}
    assert {each.headers["Cache-Control"] for each in served} == {
        "max-age=315360000, public, immutable"
    }
    assert served[-1].headers["X-Cache"] == "HIT"
    plain = client.get(sheet, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == served[0].text


def test_surplus_is_refused_at_once_with_retry_after(stack, client, connect):
    def refusal():
        held, surplus = [connect() for _each in range(OF_ONE_ADDRESS)], connect()
        for connection in held:
            connection.sendall(head(UPLOAD, length=2**20))
        surplus.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        said = answer(surplus)
        for connection in held:
            connection.close()
        return said if said.startswith("HTTP/1.1 503 ") else None

    # On a busy machine the surplus may be read before the others, or when their time is over.
    said = stack.stage.until(refusal, within_s=BUSY_S, what="the refusal of a surplus")
    assert "Retry-After: 5" in said
    assert "The site has too many requests. Try again in a moment." in said


def test_no_page_fails_while_a_web_process_restarts(stack, client):
    killed = stack.process("web")
    os.kill(killed, signal.SIGKILL)
    statuses = [client.get("/queue/").status_code for _each in range(40)]
    stack.stage.until(
        lambda: stack.process("web") not in (0, killed),
        within_s=BUSY_S,
        what="the other web process",
    )
    statuses += [client.get("/queue/").status_code for _each in range(40)]

    assert set(statuses) == {200}
