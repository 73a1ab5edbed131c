"""The distributions for authors of bots, which every site serves: `drapeau` and `drapeau-bots`.

`drapeau` is the bot kit with the engine inside it as `botkit._engine`, so it adds a single name to
an environment (ADR 37). `drapeau-bots` has the house bots, as the folders that one would upload.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from importlib import metadata
from pathlib import Path

from flit_core import buildapi

from arena.release import PROJECT, ROOT, SERVER, version
from botkit import replay_page
from engine import variants
from sandbox.host.kit import INSIDE, with_engine_inside

ASSETS = "replay_assets"
STARTERS = "starters"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "test_*.py", "golden", "ledger.toml")
# Where the kit is installed beside the server, `botkit` has these already.
FROM_ELSEWHERE = shutil.ignore_patterns("__pycache__", INSIDE, STARTERS, ASSETS)


def build(folder: Path) -> list[Path]:
    """Build every wheel into a folder, in place of older ones. Return their paths.

    The same source gives the same bytes wherever `SOURCE_DATE_EPOCH` is the same.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    return [_wheel(name, folder.resolve()) for name in PACKAGES]


def _wheel(name: str, folder: Path) -> Path:
    with _scratch(folder / ".building") as tree:
        shutil.copy(Path(__file__).with_name(f"{name}.toml"), tree / "pyproject.toml")
        (tree / "LICENSE").write_text(
            (ROOT / "LICENSE").read_text(encoding="utf-8")
            if PROJECT.is_file()
            else metadata.distribution(SERVER).read_text("licenses/LICENSE") or "",
            encoding="utf-8",
        )
        package = tree / name
        PACKAGES[name](package)
        module = package / "__init__.py"
        stated = f'\n__version__ = "{version()}"\n'
        code = module.read_text(encoding="utf-8").removesuffix(stated)
        module.write_text(code + stated, encoding="utf-8")
        with chdir(tree):
            return folder / str(buildapi.build_wheel(str(folder)))


@contextmanager
def _scratch(tree: Path) -> Iterator[Path]:
    """Yield an empty folder of that name. What is left of a build that was killed goes first."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    try:
        yield tree
    finally:
        shutil.rmtree(tree, ignore_errors=True)


def _kit(package: Path) -> None:
    shutil.copytree(ROOT / "botkit", package, ignore=FROM_ELSEWHERE)
    shutil.copytree(ROOT / "engine", package / INSIDE, ignore=LEFT_OUT)
    for game in variants.further_games():
        shutil.copytree(game, package / INSIDE / "variants" / game.name, ignore=LEFT_OUT)
    shutil.copytree(ROOT / "bots" / "starters", package / STARTERS, ignore=LEFT_OUT)
    for part in replay_page.PARTS:
        copy = package / ASSETS / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "arena/static" / part, copy)
    for rules in (package / INSIDE / "variants").glob("*/README*.md"):
        rules.unlink()  # the site shows them
    for module in package.rglob("*.py"):
        code = module.read_text(encoding="utf-8")
        module.write_text(with_engine_inside(code), encoding="utf-8")


def _house_bots(package: Path) -> None:
    package.mkdir()
    (package / "__init__.py").write_text('"""The house bots of Drapeau, a folder each."""\n')
    for manifest in sorted((ROOT / "bots").glob("*/drapeau.toml")):
        bot = manifest.parent
        shutil.copytree(bot, package / bot.name, ignore=LEFT_OUT)


# The packages, and what lays each of them out in a folder that is not there yet.
PACKAGES: dict[str, Callable[[Path], None]] = {"botkit": _kit, "drapeau_bots": _house_bots}
