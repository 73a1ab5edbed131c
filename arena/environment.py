"""How the settings are read from environment variables: one that cannot be read stops the start.

Every process of the site reads all settings when it starts. So a mistake ends each of them at once,
with a sentence that names the variable, what it is, and what is allowed.
"""

import os
import re
from collections.abc import Callable, Collection
from email import policy
from ipaddress import IPv4Network, IPv6Network, ip_network
from math import inf
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

SHOWN = 60  # how much of a value a refusal repeats, in characters
WORDS = {
    **dict.fromkeys(("1", "on", "true", "yes", "y"), True),
    **dict.fromkeys(("0", "off", "false", "no", "n"), False),
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
DATABASES = ("postgres", "postgresql", "sqlite")


class Environment:
    """Reads environment variables. One that is empty counts as left out.

    Each method raises SystemExit with a sentence if the value is not allowed. Values that may hold
    a password are not repeated.
    """

    def __init__(self) -> None:
        self._env = environ.Env()

    def text(self, name: str, default: str = "") -> str:
        """Return a text as it is."""
        return os.environ.get(name, "") or default

    def words(self, name: str) -> list[str]:
        """Return the parts of a text between commas."""
        return [word for word in map(str.strip, self.text(name).split(",")) if word]

    def networks(self, name: str) -> list[IPv4Network | IPv6Network]:
        """Return the networks between commas, such as `10.0.0.0/8,fd00::/8`."""
        try:
            return [ip_network(word) for word in self.words(name)]
        except ValueError:
            _refuse(name, self.text(name), "networks with commas, such as 10.0.0.0/8,127.0.0.1/32")

    def switch(self, name: str, *, default: bool = False) -> bool:
        """Return whether a setting is on."""
        text = self.text(name, "on" if default else "off")
        if (word := text.strip().lower()) not in WORDS:
            _refuse(name, text, "on or off")
        return WORDS[word]

    def whole(self, name: str, *, default: int, least: int = 0) -> int:
        """Return a whole number of at least `least`."""
        text = self.text(name, str(default))
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            _refuse(name, text, f"a whole number, {least} or more")
        return number

    def number(
        self, name: str, *, default: float, fits: Callable[[float], bool], allowed: str
    ) -> float:
        """Return a number that fits; `allowed` says which do."""
        text = self.text(name, str(default))
        try:
            number = float(text)
        except ValueError:
            number = inf
        if not fits(number):
            _refuse(name, text, allowed)
        return number

    def choice(self, name: str, *, default: str, known: Collection[str]) -> str:
        """Return one of the known texts."""
        text = self.text(name, default)
        if text not in known:
            _refuse(name, text, " or ".join(known))
        return text

    def key(self, name: str, *, digits: int) -> str:
        """Return a secret key of so many hexadecimal digits, or nothing."""
        text = self.text(name)
        if text and not re.fullmatch(f"[0-9a-f]{{{digits}}}", text, re.ASCII):
            _refuse(name, None, f"{digits} hexadecimal digits in lower case")
        return text

    def secret(self, name: str, file: str) -> str:
        """Return a secret: the variable itself, or what is in the file that another one names."""
        if (text := self.text(name)) or not (path := self.text(file)):
            return text
        try:
            text = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            _refuse(file, path, "a file that can be read and has the secret in it")
        return text

    def issuer(self, name: str) -> str:
        """Return the URL of a provider with OpenID Connect, or nothing.

        It is https, so that nobody between the two sites can pretend to be the provider, or on
        this machine.
        """
        text = self.text(name).removesuffix("/")
        is_safe = text.startswith("https://") or urlsplit(text).hostname in LOOPBACK
        if text and not (is_safe and _is_origin(text.removesuffix(urlsplit(text).path))):
            _refuse(name, self.text(name), "the https URL of the provider, without a query")
        return text

    def together(self, *names: str) -> bool:
        """Return whether all of these are set, or their files. Some alone stop the start."""
        given = [name for name in names if self.text(name) or self.text(f"{name}_FILE")]
        missing = [name for name in names if name not in given]
        if given and missing:
            raise SystemExit(
                f"The setting {given[0]} is of no use without {missing[0]}: set all of"
                f" {', '.join(names)}, or leave all of them out."
            )
        return bool(given)

    def broker_url(self, name: str, *, default: str, known: Collection[str]) -> str:
        """Return the URL of a broker, whose scheme must be known.

        With TLS, the certificate of the broker is checked, unless the URL says
        `ssl_cert_reqs=none`: by itself, Celery takes any.
        """
        text = self.text(name, default)
        if not _has_scheme(text, known):
            _refuse(name, None, "a URL such as filesystem://localhost or redis://host:6379/0")
        if text.startswith("rediss://") and "ssl_cert_reqs=" not in text:
            text += f"{'&' if '?' in text else '?'}ssl_cert_reqs=required"
        return text

    def database(self, name: str, *, default: str) -> dict[str, Any]:
        """Return Django's settings for the URL of a database."""
        text = self.text(name, default)
        allowed = "postgres://user:password@host/name or sqlite:////folder/file"
        if not _has_scheme(text, DATABASES):
            _refuse(name, None, f"a URL such as {allowed}")
        return _parsed(name, lambda: self._env.db_url_config(text), allowed)

    def cache(self, name: str, *, default: str) -> dict[str, Any]:
        """Return Django's settings for the URL of a cache."""
        text = self.text(name, default)
        return _parsed(
            name, lambda: self._env.cache_url_config(text), "redis://host:6379/1 or locmemcache://"
        )

    def email(self, name: str, *, default: str) -> dict[str, Any]:
        """Return Django's settings for the URL that mail is sent to."""
        text = self.text(name, default)
        allowed = "smtp+tls://user:password@host:587 or consolemail://"
        return _parsed(name, lambda: self._env.email_url_config(text), allowed)

    def origin(self, name: str) -> str:
        """Return the scheme and the host of a site, or nothing. A slash at the end is dropped."""
        text = self.text(name)
        if text and not _is_origin(text.removesuffix("/")):
            _refuse(name, text, "the address of the site: https://arena.example.org")
        return text.removesuffix("/")

    def sender(self, name: str, *, default: str) -> str:
        """Return what mail is from: an address, or a name with an address in angle brackets."""
        text = self.text(name, default)
        header = policy.default.header_factory("From", text)
        if header.defects or len(header.addresses) != 1:
            _refuse(name, text, "an address: arena@example.org or Arena <arena@example.org>")
        return text


def _is_origin(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    return is_web and url == f"{parts.scheme}://{parts.netloc}"


def _has_scheme(url: str, known: Collection[str]) -> bool:
    return any(url.startswith(f"{scheme}://") for scheme in known)


def _parsed(name: str, parse: Callable[[], dict[str, Any]], allowed: str) -> dict[str, Any]:
    try:
        return parse()
    except (ImproperlyConfigured, KeyError, TypeError, ValueError):
        _refuse(name, None, f"a URL such as {allowed}")


def _refuse(name: str, text: str | None, allowed: str) -> NoReturn:
    """End the process; `text` is None if the value can hold a password."""
    value = "not readable" if text is None else f"{text!r:.{SHOWN}}"
    raise SystemExit(f"The setting {name} is {value}: set it to {allowed}, or leave it out.")
