"""The file of the proxy says what the site and the manual say."""

import re

from django.conf import settings

from arena.server.bodies import LIMITS
from tests.tree import text

FILE = text("deploy/proxy/nginx.conf")
PAGE = text("docs/how-to/put-a-proxy-in-front.md")


def value(name):
    """Return the only value of a directive."""
    (found,) = set(re.findall(rf"^\s*{name} ([^;]+);", FILE, re.MULTILINE))
    return found


def test_proxy_takes_as_large_body_as_site():
    assert value("client_max_body_size") == f"{max(LIMITS.values()) // 2**20}m"
    assert max(LIMITS.values()) == settings.BODY_MAX_BYTES
    assert "6 MiB, which is what the site allows an upload" in PAGE


def test_the_manual_states_the_limits_of_the_proxy():
    for name, sentence in {
        "client_header_timeout": "The head has to come within {} s",
        "client_body_timeout": "the body may pause for {} s",
        "send_timeout": "A client that takes nothing for {} s loses its connection",
        "keepalive_timeout": "| an idle connection | {} s |",
        "limit_conn address": "At most {} requests of one address",
        "limit_conn everybody": "and {} of all are answered at once",
        "limit_conn watching_address": "at most {} of one address and",
        "limit_conn watching_everybody": "and {} of all |",
        "add_header Retry-After": "`Retry-After: {}`",
    }.items():
        assert sentence.format(re.findall(r"\d+", value(name))[0]) in PAGE
