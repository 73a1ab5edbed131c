"""Check the types of programs that import the bot kit, as their authors would.

The Python programs of the documents pass mypy and basedpyright. Each house bot and each starter
passes mypy in a run of its own: a bot's folder is no package, and every one has a module `bot`.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("docs", "bots")
BOTS = ("bots/*/bot.py", "engine/variants/*/starter/bot.py", "bots/starters/python/bot.py")
FENCE = re.compile(r"^( *)```python\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
MYPY = ("mypy", "--config-file=", "--strict", "--no-error-summary")


def programs() -> dict[str, str]:
    """Return the Python of all pages but the decision records, by the name of its file."""
    inside = (page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    pages += [page for page in inside if "adr" not in page.parts]
    return {
        f"{'_'.join(page.relative_to(ROOT).with_suffix('').parts)}_{number}.py".replace("-", "_"): (
            dedent(content)
        )
        for page in pages
        for number, (_indent, content) in enumerate(FENCE.findall(page.read_text("utf-8")))
    }


def check_programs(folder: Path) -> int:
    """Write the programs of the documents to a folder and check all of them. Return a status."""
    found = programs()
    if not found:
        raise SystemExit("no program was found in the documents")
    for name, content in found.items():
        (folder / name).write_text(content, "utf-8")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": ["."]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return max(
        _run(*MYPY, "--follow-imports=silent", *found, folder=folder),
        _run("basedpyright", folder=folder),
    )


def check_bots(folder: Path) -> int:
    """Check each house bot and starter, with the caches in a folder. Return a status."""
    bots = sorted(path.parent for pattern in BOTS for path in ROOT.glob(pattern))
    return max(_run(*MYPY, str(bot), folder=folder, beside=bot) for bot in bots)


def _run(program: str, *arguments: str, folder: Path, beside: Path | None = None) -> int:
    """Run a checker in a folder. Return its status."""
    paths = os.pathsep.join(map(str, filter(None, (ROOT, beside))))
    return subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=folder,
        env={**os.environ, "MYPYPATH": paths, "MYPY_CACHE_DIR": str(folder / "cache")},
        check=False,
    ).returncode


def main() -> int:
    """Check everything. Return 0 if nothing was found."""
    with TemporaryDirectory(prefix="drapeau-examples-") as folder:
        return max(check_programs(Path(folder)), check_bots(Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
