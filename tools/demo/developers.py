"""Who owns which house bot: bots of one owner never meet, so those of one game have several."""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.demo.api import Account

_NAMES = ("ada", "boris", "chloe", "dirk", "elena", "farid", "greta", "hugo")


def accounts(path: Path, plays: Mapping[str, Sequence[str]]) -> dict[str, Account]:
    """Return each bot its developer, as few as will do: no two bots of one share a variant.

    `plays` holds the variants of each bot, none meaning all. Kept in `path`, which only its owner
    can read: a bot that has a developer keeps it.
    """
    kept: dict[str, dict[str, str]] = {}
    if path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
    for slug, variants in plays.items():
        if slug not in kept:
            rivals = {
                account["username"]
                for other, account in kept.items()
                if other in plays
                and (not variants or not plays[other] or set(variants) & set(plays[other]))
            }
            known = {account["username"]: account for account in kept.values()}
            free = [account for name, account in known.items() if name not in rivals]
            if free:
                kept[slug] = free[0]
                continue
            number = len(known)
            username = _NAMES[number] if number < len(_NAMES) else f"developer{number}"
            kept[slug] = {"username": username, "password": secrets.token_urlsafe(18)}
    # Write all of it or nothing, so that a kill in between loses no password.
    scratch = path.with_suffix(".new")
    scratch.unlink(missing_ok=True)
    file = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as out:
        out.write(json.dumps(kept, indent=2))
    scratch.replace(path)
    return {slug: Account(**kept[slug]) for slug in plays}
