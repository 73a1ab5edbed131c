"""JSON that says one thing to every reader: no key of an object stands twice (RFC 7493)."""

import json
from typing import Any

from engine.errors import EngineError, quoted


class BadJson(EngineError):
    """A text that is not JSON, or that says two things; the text says where or what."""


def read_json(text: str | bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a JSON text. Raise BadJson."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except BadJson:
        raise
    except json.JSONDecodeError as problem:
        why = f"it is not JSON from line {problem.lineno}, column {problem.colno} on"
        if problem.msg == "Extra data" and problem.doc[problem.pos] == "{":
            why = "it is more than one. Read a file of many, one a line, with botkit.data"
        raise BadJson(why) from problem
    except UnicodeDecodeError as problem:
        raise BadJson("it is not text in UTF-8") from problem
    except RecursionError as problem:
        raise BadJson("its values are nested too deeply") from problem
    except ValueError as problem:
        raise BadJson("a number has too many digits") from problem


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadJson(f"the key {quoted(twice)} stands twice in one object, so it says two things")
    return members
