"""How the settings are read from environment variables: one that cannot be read stops the start.

Every process of the site reads all settings when it starts. So a mistake ends each of them at once,
with a sentence that names the variable, what it is, and what is allowed.
"""

import os
import re
from collections.abc import Callable, Collection
from math import inf
from typing import Any, NoReturn

import environ
from django.core.exceptions import ImproperlyConfigured

SHOWN = 60  # how much of a value a refusal repeats, in characters
WORDS = {
    **dict.fromkeys(("1", "on", "true", "yes", "y"), True),
    **dict.fromkeys(("0", "off", "false", "no", "n"), False),
}
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

    def broker_url(self, name: str, *, default: str, known: Collection[str]) -> str:
        """Return the URL of a broker, whose scheme must be known."""
        text = self.text(name, default)
        if not _has_scheme(text, known):
            _refuse(name, None, "a URL such as filesystem://localhost or redis://host:6379/0")
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
