"""Pages and the API ask who looks before they read a match."""

import ast
from pathlib import Path

import arena

ROOT = Path(arena.__file__).parent
DOOR = "visible_to"
ROWS = {"Match", "MatchEntrant", "Game", "GameRecord", "GameLog", "GameEvidence"}
# What only staff get to see.
PAST_THE_DOOR = {"web/fairplay/forms.py"}


def test_pages_and_api_read_matches_only_through_door():
    """Whoever reads them elsewhere forgets who looks."""
    past = {
        str(path.relative_to(ROOT))
        for folder in ("web", "api")
        for path in (ROOT / folder).rglob("*.py")
        if _reads_past_the_door(path.read_text())
    }

    assert past == PAST_THE_DOOR


def _reads_past_the_door(source):
    nodes = list(ast.walk(ast.parse(source)))
    seen_through_it = [
        node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr == DOOR
    ]
    for node in nodes:
        if node in seen_through_it:
            continue
        if isinstance(node, ast.Attribute) and node.attr in ("objects", "_default_manager"):
            found = node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "get_object_or_404":
            found = node.args[0]
        else:
            continue
        if isinstance(found, ast.Name) and found.id in ROWS:
            return True
    return False
