"""The SDK as bots find it: `botkit`, with the rules of the games inside it as `botkit._engine`.

The same layout as in the wheel for authors (`arena.wheels`), so a bot that looks ahead at home does
so in the arena. Of the engine there are the rules and nothing else: no referee, no records, no
chance of matches.
"""

import importlib.util
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from engine import variants

INSIDE = "_engine"
RULES = (
    "__init__.py",
    "duel",
    "errors.py",
    "event.py",
    "faces.py",
    "knowledge.py",
    "outcome.py",
    "protocol.py",  # lengths and words that the schema of a variant names
    "registry.py",
    "rng.py",
    "scene.py",
    "schema.py",
    "variant.py",
    "variants",
)

_IMPORT_OF_ENGINE = re.compile(r"^(\s*)(from|import) engine\b", re.MULTILINE)
# `_engine` and `starters` are there where the kit is installed beside the server.
_LEFT_OUT = re.compile(rf"/(?:__pycache__|starters?|golden|{INSIDE})/|/test_[^/]*\.py$")


def package_folder(name: str) -> Path:
    """Return the folder of a package of ours, without importing it. Raise FileNotFoundError."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"the package {name} is not installed beside the sandbox")
    return Path(spec.origin).parent


def with_engine_inside(code: str) -> str:
    """Return a module that imports the engine from inside the bot kit."""
    return _IMPORT_OF_ENGINE.sub(rf"\1\2 botkit.{INSIDE}", code)


def kit_files() -> dict[str, bytes]:
    """Return all files of the SDK by their paths, which begin with `botkit/`, in order."""
    kit, engine = package_folder("botkit"), package_folder("engine")
    files = {f"botkit/{name}": file for name, file in _modules(kit)}
    for name, file in _modules(engine):
        if name.partition("/")[0] in RULES:
            files[f"botkit/{INSIDE}/{name}"] = file
    for game in variants.further_games():
        files |= {f"botkit/{INSIDE}/variants/{game.name}/{name}": f for name, f in _modules(game)}
    return {
        name: with_engine_inside(file.read_text(encoding="utf-8")).encode()
        for name, file in sorted(files.items())
    }


def copy_kit(library: Path) -> None:
    """Create a folder for PYTHONPATH that contains only the SDK."""
    for name, content in _kept().items():
        target = library / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


@cache
def _kept() -> Mapping[str, bytes]:
    return kit_files()


def _modules(package: Path) -> Iterator[tuple[str, Path]]:
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        if not _LEFT_OUT.search(f"/{name}"):
            yield name, file
    if (package / "py.typed").exists():
        yield "py.typed", package / "py.typed"
