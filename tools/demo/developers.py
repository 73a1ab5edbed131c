"""Who owns which house bot: bots of one owner never meet in rated games, so each has its own."""

import json
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from tools.demo.api import Account

_NAMES = ("ada", "boris", "chloe", "dirk", "elena", "farid", "greta", "hugo")


def accounts(path: Path, slugs: Iterable[str]) -> dict[str, Account]:
    """Give each bot its developer. Kept in `path`, which only its owner can read."""
    kept: dict[str, dict[str, str]] = {}
    if path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
    for slug in slugs:
        if slug not in kept:
            username = _NAMES[len(kept)] if len(kept) < len(_NAMES) else f"developer{len(kept)}"
            kept[slug] = {"username": username, "password": secrets.token_urlsafe(18)}
    _write_privately(path, json.dumps(kept, indent=2))
    return {slug: Account(**kept[slug]) for slug in slugs}


def _write_privately(path: Path, content: str) -> None:
    """Write all of it or nothing, so that a kill in between loses no password."""
    scratch = path.with_suffix(".new")
    scratch.unlink(missing_ok=True)
    file = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as out:
        out.write(content)
    scratch.replace(path)
