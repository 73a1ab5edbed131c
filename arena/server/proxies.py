"""Who calls: the address and the scheme of a request, as the trusted proxies say.

This is the one place that reads proxy headers. Everything behind it sees the address of the caller
as `REMOTE_ADDR`, and no proxy header.
"""

import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

FOR, PROTO = b"x-forwarded-for", b"x-forwarded-proto"
HEADERS = frozenset(
    {FOR, PROTO, b"forwarded", b"x-forwarded-host", b"x-forwarded-port", b"x-real-ip"}
)


class TrustedProxies:
    """ASGI application around another one, which reads the headers of `count` proxies.

    A caller can send `X-Forwarded-For` too, and each proxy adds the address that it sees on the
    right. So the entry that counts is the one that the first trusted proxy has added: the
    `count`-th from the right. With fewer entries the request did not pass all proxies, and the
    address of the connection counts.
    """

    def __init__(self, app: App, *, count: int) -> None:
        self.app = app
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, value) for name, value in scope["headers"] if name not in HEADERS]
            seen = {**scope, "headers": headers}
            if address := address_in(self._entry(scope, FOR)):
                seen["client"] = (address, 0)
            if (scheme := self._entry(scope, PROTO).lower()) in ("http", "https"):
                seen["scheme"] = scheme
            scope = seen
        await self.app(scope, receive, send)

    def _entry(self, scope: Scope, name: bytes) -> str:
        """Return the entry of a header that counts, or an empty text."""
        lines = [value.decode("latin1") for given, value in scope["headers"] if given == name]
        entries = [entry.strip() for entry in ",".join(lines).split(",")]
        # Most proxies replace the scheme and do not add to it: then the only entry counts.
        place = min(self.count, len(entries)) if name == PROTO else self.count
        return entry_from_the_right(entries, place)


def entry_from_the_right(entries: Sequence[str], place: int) -> str:
    """Return the entry at a place counted from 1, or an empty text if there is none."""
    return entries[-place] if 0 < place <= len(entries) else ""


def address_in(entry: str) -> str:
    """Return the IP address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.

    Return an empty text if it is none.
    """
    host = entry
    if entry.startswith("["):
        host = entry[1:].partition("]")[0]
    elif entry.count(":") == 1:
        host = entry.partition(":")[0]
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return ""
