import asyncio

import pytest

from arena.server.proxies import TrustedProxies, address_in

PEER = ("192.0.2.1", 40_000)
HOST = (b"host", b"arena.example")


async def unused(*_):
    raise AssertionError


def seen_with(count, **headers):
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return seen_behind(count, [HOST, *named])


def seen_behind(count, headers):
    """Return the scope that the site sees behind so many proxies."""
    seen = []

    async def site(scope, receive, send):
        seen.append(scope)

    scope = {"type": "http", "client": PEER, "scheme": "http", "headers": headers}
    asyncio.run(TrustedProxies(site, count=count)(scope, unused, unused))
    return seen[0]


@pytest.mark.parametrize(
    ("count", "entries", "address"),
    [
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", "192.0.2.1"),  # it did not pass both proxies
        (1, "nonsense", "192.0.2.1"),
        (1, "203.0.113.9,", "192.0.2.1"),
        (1, "203.0.113.9:1234", "203.0.113.9"),
    ],
)
def test_first_trusted_proxy_entry_is_caller(count, entries, address):
    assert seen_with(count, x_forwarded_for=entries)["client"][0] == address


def test_a_header_in_several_lines_is_one_list():
    lines = [(b"x-forwarded-for", b"198.51.100.1"), (b"x-forwarded-for", b"203.0.113.9")]

    assert seen_behind(1, lines)["client"][0] == "203.0.113.9"


@pytest.mark.parametrize(
    ("count", "entries", "scheme"),
    [
        (0, "https", "http"),
        (1, "https", "https"),
        (1, "HTTPS", "https"),
        (2, "https", "https"),  # most proxies replace it
        (1, "https, http", "http"),
        (1, "gopher", "http"),
    ],
)
def test_the_scheme_is_what_a_trusted_proxy_says(count, entries, scheme):
    assert seen_with(count, x_forwarded_proto=entries)["scheme"] == scheme


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_behind_sees_a_proxy_header(count):
    seen = seen_with(
        count,
        x_forwarded_for="203.0.113.9",
        x_forwarded_proto="https",
        x_forwarded_host="evil.example",
        x_real_ip="203.0.113.9",
        forwarded="for=203.0.113.9",
    )

    assert seen["headers"] == [HOST]


@pytest.mark.parametrize(
    ("entry", "address"),
    [
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_addresses_with_and_without_ports_are_read(entry, address):
    assert address_in(entry) == address
