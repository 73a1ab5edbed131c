"""The distributions for authors of bots, which every site serves: `drapeau` and `drapeau-bots`.

`drapeau` is the bot kit with the engine inside it as `botkit._engine`, so it adds a single name to
an environment (ADR 37). `drapeau-bots` has the house bots, as the folders that one would upload.
"""

import shutil
import tomllib
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from flit_core import buildapi

from botkit import replay_page
from sandbox.host.kit import INSIDE, with_engine_inside

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "test_*.py", "golden", "ledger.toml")


def build(folder: Path) -> list[Path]:
    """Build every wheel into a folder, in place of older ones. Return their paths.

    The same source gives the same bytes wherever `SOURCE_DATE_EPOCH` is the same.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    return [_wheel(name, folder.resolve()) for name in PACKAGES]


def version() -> str:
    """Return the version of the project, which all distributions share."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(settings["project"]["version"])


def _wheel(name: str, folder: Path) -> Path:
    with TemporaryDirectory() as scratch:
        tree = Path(scratch)
        shutil.copy(ROOT / "tools" / "wheels" / f"{name}.toml", tree / "pyproject.toml")
        shutil.copy(ROOT / "LICENSE", tree)
        package = tree / name
        PACKAGES[name](package)
        with (package / "__init__.py").open("a", encoding="utf-8") as module:
            module.write(f'\n__version__ = "{version()}"\n')
        with chdir(tree):
            return folder / str(buildapi.build_wheel(str(folder)))


def _kit(package: Path) -> None:
    shutil.copytree(ROOT / "botkit", package, ignore=LEFT_OUT)
    shutil.copytree(ROOT / "engine", package / INSIDE, ignore=LEFT_OUT)
    shutil.copytree(ROOT / "bots" / "starters", package / "starters", ignore=LEFT_OUT)
    for part in replay_page.PARTS:
        copy = package / "replay_assets" / part
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
