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
