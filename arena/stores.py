"""How the site talks to where its rows and counts are: what follows from the address of each."""

from typing import Any

# IMMEDIATE makes every SQLite transaction queue for the one writer instead of failing half-way.
_SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA temp_store=MEMORY;"
        "PRAGMA mmap_size=134217728;PRAGMA journal_size_limit=27103364;PRAGMA cache_size=2000;"
    ),
}


def database(parsed: dict[str, Any]) -> dict[str, Any]:
    """Complete what a URL says of the database."""
    if parsed["ENGINE"].endswith("sqlite3"):
        return {**parsed, "OPTIONS": _SQLITE_OPTIONS}
    # Who stands still or vanishes within a transaction does not keep its locks for ever.
    patience = {"options": "-c idle_in_transaction_session_timeout=120s"}
    return {
        **parsed,
        # Under ASGI a kept connection belongs to a thread that may be gone: keep none.
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {**patience, **parsed.get("OPTIONS", {})},
    }


def cache(parsed: dict[str, Any]) -> dict[str, Any]:
    """Complete what a URL says of the cache, which counts requests; Redis may go away."""
    if not parsed["BACKEND"].endswith("RedisCache"):
        return {**parsed, "OPTIONS": {"MAX_ENTRIES": 100_000}}
    return {
        **parsed,
        "BACKEND": "arena.forgiving_cache.ForgivingRedisCache",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
