"""Where webhooks may be sent, and the one request that is sent there.

Users choose the addresses, so a delivery must not reach what only the network of the site reaches.
The name of a receiver is resolved once. If all its addresses are public, one of them is connected
to, and no redirect is followed. `http.client` has no way to limit a whole exchange, so a timer ends
the connection of a receiver that answers byte by byte.
"""

import contextlib
import http.client
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from arena.domain.errors import InvalidInput
from arena.models import DeliveryProblem

URL_MAX_LENGTH = 500
TIMEOUT_S = 5.0  # of a whole delivery, after the name was resolved
ANSWER_MAX_BYTES = 1024
ADDRESSES_TRIED = 2
SUCCESS = 2  # the hundreds of the statuses with which a receiver takes a delivery
# What it looks like when the timer ends a connection.
CUT_OFF = (DeliveryProblem.ANSWER, DeliveryProblem.CERTIFICATE, DeliveryProblem.CONNECTION)
# Other addresses lead into an IPv4 network (NAT64) or stay within a site. `is_global` knows the
# exceptions in it, such as 6to4.
GLOBAL_UNICAST = IPv6Network("2000::/3")

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one request. `http_status` is None without an answer; then there is a problem.

    `answer` is the beginning of what the receiver answered.
    """

    http_status: int | None
    duration_ms: int
    problem: str = ""
    answer: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether the receiver has taken the delivery."""
        return self.http_status is not None and self.http_status // 100 == SUCCESS


class _AddressRefused(Exception):
    """The receiver has an address that nothing may be sent to."""


def require_url(url: str) -> str:
    """Return the URL of a receiver without surrounding spaces. Raise InvalidInput.

    Names are not resolved here: their addresses are checked at each delivery.
    """
    text = url.strip()
    refusal = _refusal(text)
    if refusal:
        raise InvalidInput({"receiver": [refusal]})
    return text


def may_connect(address: Address) -> bool:
    """Return whether deliveries may go to an address: a public one, or one that is allowed."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if any(address in network for network in settings.WEBHOOK_NETWORKS):
        return True
    if isinstance(address, IPv6Address) and address not in GLOBAL_UNICAST:
        return False
    return address.is_global and not address.is_multicast


def post(*, url: str, body: bytes, headers: Mapping[str, str]) -> Attempt:
    """Send one request to a receiver, and return what came of it. Raise nothing."""
    begun_s = time.monotonic()
    status, problem, answer = None, "", b""
    try:
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        with _connected(parts) as connection:
            connection.request("POST", target, body=body, headers=dict(headers))
            response = connection.getresponse()
            if time.monotonic() - begun_s >= TIMEOUT_S:  # its headers were cut off
                raise TimeoutError
            # The beginning of an answer, as far as it comes in time.
            beginning = b""
            with contextlib.suppress(OSError, http.client.HTTPException):
                while len(beginning) < ANSWER_MAX_BYTES and (
                    more := response.read1(ANSWER_MAX_BYTES - len(beginning))
                ):
                    beginning += more
            status, answer = response.status, beginning
    except _AddressRefused:
        problem = DeliveryProblem.ADDRESS
    except (socket.gaierror, UnicodeError):
        problem = DeliveryProblem.NAME
    except ssl.SSLError:
        problem = DeliveryProblem.CERTIFICATE
    except http.client.HTTPException:
        problem = DeliveryProblem.ANSWER
    except OSError:
        problem = DeliveryProblem.CONNECTION
    duration_s = time.monotonic() - begun_s
    if problem in CUT_OFF and duration_s >= TIMEOUT_S:
        problem = DeliveryProblem.TIMEOUT  # the timer has ended the connection
    text = answer.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return Attempt(status, round(duration_s * 1000), str(problem), text)


def _refusal(url: str) -> str:
    """Return why nothing can be sent to a URL, or nothing."""
    if len(url) > URL_MAX_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
        return _(
            "A URL has at most %(most)d characters, all of them of ASCII, and no spaces. Write"
            " other letters as a browser sends them: names as xn--…, the rest with %%."
        ) % {"most": URL_MAX_LENGTH}
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        has_host = False
    if not has_host or parts.scheme not in ("http", "https"):
        return _("This is no URL. Write it as https://example.org/drapeau.")
    if "@" in parts.netloc:
        return _("A URL must not have a user name or a password. Check the signature instead.")
    if parts.fragment:
        return _("A URL must not have a part after #. It would not be sent.")
    return _refusal_of_host(parts)


def _refusal_of_host(parts: SplitResult) -> str:
    """Return why nothing can be sent to a host, as far as it shows without a look-up."""
    literal = _literal(str(parts.hostname))
    if parts.scheme == "http" and not (literal and literal.is_loopback and may_connect(literal)):
        return _("Deliveries are sent with TLS only. Use an address that begins with https://.")
    if literal and not may_connect(literal):
        return _(
            "This address is not a public one. Use a public address, or ask an operator of the"
            " site to allow the network (DRAPEAU_WEBHOOK_NETWORKS)."
        )
    return ""


def _literal(host: str) -> Address | None:
    """Return the address that a host is without a look-up, or None."""
    try:
        return ip_address("127.0.0.1" if host.lower() == "localhost" else host)
    except ValueError:
        return None


@contextlib.contextmanager
def _connected(parts: SplitResult) -> Iterator[http.client.HTTPConnection]:
    """Connect to an address of a receiver that was checked. End the connection in time."""
    host, tls = str(parts.hostname), None
    # Without a port, `http.client` would take the end of an IPv6 address for one.
    connection = http.client.HTTPConnection(host, parts.port or http.client.HTTP_PORT)
    if parts.scheme == "https":
        tls, port = _tls(), parts.port or http.client.HTTPS_PORT
        connection = http.client.HTTPSConnection(host, port, context=tls)
    # A receiver without TLS must be on this host.
    rows = socket.getaddrinfo(parts.hostname, None, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(ip_address(row[4][0]) for row in rows))
    for address in addresses:
        if not may_connect(address) or (parts.scheme == "http" and not address.is_loopback):
            raise _AddressRefused
    plain = _connect(addresses, connection.port)
    guard = plain.dup()  # ends the connection even in the middle of the TLS handshake
    timer = Timer(TIMEOUT_S, _end, [guard])
    timer.daemon = True
    timer.start()
    try:
        connection.sock = tls.wrap_socket(plain, server_hostname=host) if tls else plain
        yield connection
    finally:
        timer.cancel()
        connection.close()
        plain.close()
        guard.close()


@cache
def _tls() -> ssl.SSLContext:
    """Return what all connections share: to read the authorities takes longer than a delivery."""
    return ssl.create_default_context()


def _connect(addresses: list[Address], port: int) -> socket.socket:
    """Return a connection to the first of the addresses that takes one. Raise OSError."""
    tried = addresses[:ADDRESSES_TRIED]
    for address in tried[:-1]:
        with contextlib.suppress(OSError):
            return socket.create_connection((str(address), port), TIMEOUT_S / len(tried))
    return socket.create_connection((str(tried[-1]), port), TIMEOUT_S / len(tried))


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)
