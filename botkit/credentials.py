"""What the command line keeps of an author: the usual site, and a token for each site.

Tokens are in the keyring of the system if the library `keyring` is installed and finds one, and
otherwise in a file that only its owner can read.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

SERVICE = "drapeau"
SETTINGS = "config.json"
TOKENS = "tokens.json"


class BadSettings(Exception):
    """A file of the command line cannot be read or written; the text says which and why."""


def folder() -> Path:
    """Return where settings and tokens are kept."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "drapeau"


def read_settings() -> dict[str, Any]:
    """Return the usual `site` and the list `insecure_http`, if set. Raise BadSettings."""
    return _read(SETTINGS)


def change_settings(**changes: object) -> None:
    """Set some settings. Raise BadSettings."""
    _write(SETTINGS, {**read_settings(), **changes})


def allows_plain_http(address: str) -> bool:
    """Return whether the author has allowed plain http for a site."""
    return address in read_settings().get("insecure_http", [])


def kept(site: str) -> dict[str, str]:
    """Return the `token` that is kept for a site, and its `id` if known. Raise BadSettings."""
    ring = _keyring()
    if ring is not None:
        with suppress(ring.errors.KeyringError, ValueError):
            row = json.loads(ring.get_password(SERVICE, site) or "null")
            if isinstance(row, dict):
                return row
    row = _read(TOKENS).get(site)
    return row if isinstance(row, dict) else {}


def keep(site: str, token: str, token_id: str) -> str:
    """Keep the token for a site. Return where, in words. Raise BadSettings."""
    entry = {"token": token, "id": token_id}
    forget(site)
    ring = _keyring()
    if ring is not None:
        with suppress(ring.errors.KeyringError):
            ring.set_password(SERVICE, site, json.dumps(entry))
            return "the keyring"
    _write(TOKENS, {**_read(TOKENS), site: entry})
    return str(folder() / TOKENS)


def forget(site: str) -> None:
    """Delete the token of a site, wherever it is kept. Raise BadSettings."""
    ring = _keyring()
    if ring is not None:
        with suppress(ring.errors.KeyringError):
            ring.delete_password(SERVICE, site)
    tokens = _read(TOKENS)
    if tokens.pop(site, None) is not None:
        _write(TOKENS, tokens)


def place_of_tokens() -> str:
    """Return where a new token is kept, in words."""
    return "the keyring" if _keyring() is not None else str(folder() / TOKENS)


def _keyring() -> Any:  # noqa: ANN401 - a library that may not be installed
    """Return the library with a keyring of the system, or None."""
    try:
        ring = import_module("keyring")
        return ring if ring.get_keyring().priority > 0 else None
    except (ImportError, RuntimeError, AttributeError):
        return None


def _read(name: str) -> dict[str, Any]:
    path = folder() / name
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise BadSettings(f"{path}: cannot be read: {problem.strerror}") from problem
    except ValueError as problem:
        raise BadSettings(f"{path}: not JSON. Correct it, or delete it and log in") from problem
    if not isinstance(content, dict):
        raise BadSettings(f"{path}: not a table of JSON. Correct it, or delete it and log in")
    return content


def _write(name: str, content: Mapping[str, object]) -> None:
    """Write a file that only its owner can read, whole or not at all. Raise BadSettings."""
    path = folder() / name
    text = json.dumps(content, indent=1) + "\n"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{name}")  # with mode 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(unfinished).replace(path)
        finally:
            Path(unfinished).unlink(missing_ok=True)
    except OSError as problem:
        raise BadSettings(f"{path}: cannot be written: {problem.strerror}") from problem
