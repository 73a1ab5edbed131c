"""Deliveries go to public addresses only, whatever a name resolves to and a receiver answers."""

import datetime as dt
import socket
from ipaddress import ip_address, ip_network

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from arena.domain.errors import InvalidInput
from arena.domain.webhooks import receivers
from tests.integration.webhooks.receiver import LOOPBACK, receiver

PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",  # where clouds tell their machines secrets
    "100.64.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:93.184.216.34"]


@pytest.fixture
def resolved(monkeypatch):
    """Return a function that sets what every name resolves to, look-up by look-up."""

    def resolve(*answers):
        left = list(answers)
        asked = []

        def getaddrinfo(host, *_args, **_options):
            asked.append(host)
            found = left.pop(0) if len(left) > 1 else left[0]
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 0)) for each in found]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return asked

    return resolve


@pytest.fixture
def connections(monkeypatch):
    """Keep the addresses that are connected to; no connection is made."""
    tried = []

    def connect(address, *_args, **_options):
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    return tried


def post(url, body=b"{}"):
    return receivers.post(url=url, body=body, headers={})


@pytest.mark.parametrize("address", PRIVATE)
def test_nothing_is_sent_to_nonpublic_address(address, resolved, connections):
    assert not receivers.may_connect(ip_address(address))
    resolved([address])

    assert post("https://hook.example/").problem == "address"
    assert connections == []


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_connected_to(address, resolved, connections):
    assert receivers.may_connect(ip_address(address))
    resolved([address])

    assert post("https://hook.example:8443/").problem == "connection"
    assert connections == [(str(ip_address(address)), 8443)]


@pytest.mark.parametrize(
    "address", ["10.1.2.3", "::ffff:10.1.2.3", "fd00::5", "127.0.0.1", "169.254.169.254"]
)
def test_an_operator_allows_networks_one_by_one(address, settings):
    settings.WEBHOOK_NETWORKS = [ip_network("10.1.0.0/16"), ip_network("fd00::/8")]

    allowed = address not in ("127.0.0.1", "169.254.169.254")
    assert receivers.may_connect(ip_address(address)) == allowed


def test_name_with_public_and_private_address_is_refused(resolved, connections):
    resolved(["93.184.216.34", "10.0.0.1"])

    assert post("https://hook.example/").problem == "address"
    assert connections == []


def test_the_address_that_was_checked_is_connected_to(resolved, connections):
    """A second look-up, which a resolver of an attacker would answer otherwise, does not happen."""
    asked = resolved(["93.184.216.34"], ["127.0.0.1"])
    post("https://hook.example/")

    assert asked == ["hook.example"]
    assert connections == [("93.184.216.34", 443)]


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "[::ffff:127.0.0.1]"]
)
def test_other_spellings_of_this_host_are_refused(host, connections):
    assert post(f"https://{host}/").problem == "address"
    assert connections == []


def test_a_name_that_does_not_exist_says_so():
    assert post("https://nowhere.invalid/").problem == "name"
    assert post(f"https://{'a' * 70}.example/").problem == "name"


def test_without_tls_only_this_host_is_sent_to(settings, resolved, connections):
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8"), ip_network("127.0.0.0/8")]
    for address in ("93.184.216.34", "10.0.0.1"):
        resolved([address])
        assert post("http://hook.example/").problem == "address"
    assert connections == []


def test_the_environment_has_no_proxy_for_deliveries(settings, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9/")
    with receiver(settings) as server:
        assert post(server.url).succeeded


def test_the_certificate_of_the_receiver_is_checked(settings, tmp_path, monkeypatch):
    files = self_signed(tmp_path)
    with receiver(settings, tls=files) as server:
        assert post(server.url).problem == "certificate"
        assert server.requests == []
        receivers._tls.cache_clear()
        monkeypatch.setenv("SSL_CERT_FILE", str(files[0]))  # an operator's own authority
        assert post(server.url).http_status == 200
    receivers._tls.cache_clear()
    assert server.requests[0].headers["host"] == f"{LOOPBACK}:{server.server_port}"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "no URL"),
        ("example.org/hook", "no URL"),
        ("ftp://example.org/", "no URL"),
        ("https:///hook", "no URL"),
        ("https://example.org:0/", "no URL"),
        ("https://example.org:99999/", "no URL"),
        ("https://[::1/", "no URL"),
        ("https://ada:word@example.org/", "user name"),
        ("https://@example.org/", "user name"),
        ("https://example.org/#part", "after #"),
        ("https://exa mple.org/", "spaces"),
        ("https://example.org/\r\nHost: other", "spaces"),
        ("https://exämple.org/", "xn--"),
        ("https://example.org/" + "a" * 500, "500"),
        ("http://example.org/", "TLS"),
        ("http://127.0.0.1/", "TLS"),
        ("https://127.0.0.1/", "DRAPEAU_WEBHOOK_NETWORKS"),
        ("https://localhost/", "DRAPEAU_WEBHOOK_NETWORKS"),
        ("https://[fe80::1]/", "DRAPEAU_WEBHOOK_NETWORKS"),
        ("https://[::ffff:10.0.0.1]/", "DRAPEAU_WEBHOOK_NETWORKS"),
    ],
)
def test_unsendable_url_is_refused_at_once(url, said):
    with pytest.raises(InvalidInput, match=said) as refused:
        receivers.require_url(url)
    assert list(refused.value.errors) == ["receiver"]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org:8443/a/b?c=d&e=%20",
        "https://xn--exmple-cua.org/",
        "https://93.184.216.34/",
        "https://[2606:4700:4700::1111]/hook",
    ],
)
def test_other_urls_are_taken_as_they_are(url):
    assert receivers.require_url(f"  {url} ") == url


def test_http_is_for_this_host_if_operator_allows(settings):
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8")]

    assert receivers.require_url("http://127.0.0.1:8000/")
    assert receivers.require_url("http://localhost:8000/")
    for url in ("http://10.0.0.1/", "http://[::1]/"):
        with pytest.raises(InvalidInput, match="TLS"):
            receivers.require_url(url)


def self_signed(folder):
    """Write a certificate of this host that no authority signed. Return its files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, LOOPBACK)])
    now = dt.datetime.now(dt.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(LOOPBACK))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, secret
