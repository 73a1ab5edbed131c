"""The import contracts hold, and a deliberate breach of each one is caught."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.tree import ROOT, tracked

PACKAGES = ("arena/", "engine/", "sandbox/", "botkit/", "tools/", "pyproject.toml")

# A file to append a line to (it is made where it is missing), and the contract that this breaks.
BREACHES = (
    ("engine/breach.py", "import arena.jobs", "The site stands on the sandbox"),
    ("sandbox/wire/breach.py", "import engine.registry", "The sandbox knows the wire and no game"),
    (
        "sandbox/levels/breach.py",
        "import botkit.view",
        "Of the bot kit the sandbox knows what a bot",
    ),
    ("botkit/breach.py", "import django", "Engine, sandbox and bot kit know no framework"),
    ("engine/clock.py", "import time", "The engine is pure"),
    ("botkit/view.py", "import engine.rng", "What bots import of the bot kit stands alone"),
    ("botkit/worlds.py", "import engine.referee", "Bots that look ahead reach the rules"),
    ("botkit/games.py", "import botkit.learning.game", "Libraries for learning are for"),
    (
        "engine/variants/siege/breach.py",
        "import engine.variants.cards",
        "Variants do not know each other",
    ),
    ("engine/schema.py", "import engine.variants.cards", "Nobody names a variant"),
    ("sandbox/doctor/breach.py", "import docker", "Only sandbox.launcher.docker_engine talks"),
    ("sandbox/host/breach.py", "import sandbox.levels.local", "Floors of the sandbox"),
    (
        "sandbox/uploads/breach.py",
        "import sandbox.launcher.docker_engine",
        "A game and the client of a launcher reach no Docker",
    ),
    ("arena/models/breach.py", "import arena.domain.errors", "Floors of the site"),
    ("arena/embedded/breach.py", "import arena.models", "The embedded site starts the processes"),
    (
        "arena/domain/accounts/breach.py",
        "import arena.domain.bots.bots",
        "Floors of the domain",
    ),
    (
        "arena/domain/tournaments/entry/breach.py",
        "import arena.domain.tournaments.rounds.directing",
        "Floors of tournaments",
    ),
    ("arena/api/breach.py", "import arena.runner.finishing", "Pages, API and admin know neither"),
    ("arena/web/breach.py", "import sandbox.table", "The web process cannot reach Docker"),
    (
        "botkit/languages.py",
        "import subprocess",
        "The tables of languages and limits reach nothing",
    ),
    ("arena/domain/ratings/elo.py", "import django", "Formats, match-making, scheduling"),
    ("arena/texts/breach.py", "import arena.models", "Texts are data"),
    ("arena/web/paging.py", "import rest_framework", "The REST framework stays in the API"),
    ("arena/web/numbers.py", "import arena.settings", "Settings are read through django.conf"),
)


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
        env={"COLUMNS": "500"},
    )


def contracts() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [each["name"] for each in settings["tool"]["importlinter"]["contracts"]]


def copy_of_the_tree(target: Path) -> Path:
    for name in tracked():
        if name.startswith(PACKAGES):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def test_contracts_hold():
    run = lint_imports(ROOT)

    assert run.returncode == 0, run.stdout


def test_one_breach_of_every_contract_is_caught(tmp_path):
    root = copy_of_the_tree(tmp_path)
    for file, line, _contract in BREACHES:
        with (root / file).open("a", encoding="utf-8") as module:
            module.write(f"{line}\n")

    run = lint_imports(root)

    broken = re.findall(r"^(.+?) BROKEN", run.stdout, re.MULTILINE)
    assert run.returncode == 1
    assert broken == contracts()


def test_every_contract_has_its_breach():
    named = [
        name for _file, _line, start in BREACHES for name in contracts() if name.startswith(start)
    ]

    assert named == contracts()


def imported_by(file: Path) -> set[str]:
    """Return the top-level names of the packages that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_a_starter_bot_imports_the_bot_kit_and_the_standard_library():
    starters = sorted(ROOT.glob("engine/variants/*/starter/*.py"))

    assert len(starters) >= 5
    for file in starters:
        assert imported_by(file) - sys.stdlib_module_names == {"botkit"}, file


def test_the_site_starts_without_libraries_that_compute_and_without_telemetry(tmp_path):
    code = (
        "import django; django.setup(); import arena.urls, arena.tasks, sys; "
        "arena.tasks.telemetry.start_if_wanted(service='web'); "
        "print(*{'scipy.optimize', 'scipy.sparse', 'scipy.fft', 'networkx', 'opentelemetry'}"
        " & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "arena.settings", "DRAPEAU_DATA_DIR": str(tmp_path)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "\n"
