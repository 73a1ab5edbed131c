"""Check the types of programs that import the bot kit, as their authors would.

The Python programs of the documents pass mypy and basedpyright. Each house bot and each starter
passes mypy too. Every bot has a module `bot`, so each is copied into a package of its own, and one
run of mypy checks them all.
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
MYPY = ("mypy", "--config-file=", "--strict", "--no-error-summary", "--follow-imports=silent")


def flat(path: Path) -> str:
    """Return the path of a page or a folder as a name that Python can import."""
    return "_".join(path.relative_to(ROOT).with_suffix("").parts).replace("-", "_")


def programs() -> dict[str, str]:
    """Return the Python of all pages but the decision records, by the name of its file."""
    inside = (page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    pages += [page for page in inside if "adr" not in page.parts]
    return {
        f"{flat(page)}_{number}.py": dedent(content)
        for page in pages
        for number, (_indent, content) in enumerate(FENCE.findall(page.read_text("utf-8")))
    }


def modules() -> dict[str, str]:
    """Return the modules of all bots as those of packages, by the path of the file."""
    sources = {}
    for folder in sorted(path.parent for pattern in BOTS for path in ROOT.glob(pattern)):
        files = sorted(folder.glob("*.py"))
        beside = re.compile(
            rf"^from ({'|'.join(file.stem for file in files)}) import", re.MULTILINE
        )
        sources[f"{flat(folder)}/__init__.py"] = ""
        for file in files:
            code = file.read_text("utf-8")
            sources[f"{flat(folder)}/{file.name}"] = beside.sub(r"from .\1 import", code)
    return sources


def check(folder: Path) -> int:
    """Write all programs to a folder and check them there. Return a status."""
    shown, bots = programs(), modules()
    if not shown or not bots:
        raise SystemExit("no program was found in the documents, or no bot")
    for name, content in {**shown, **bots}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": [*shown]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return max(
        _run(folder, *MYPY, *shown, *bots),
        _run(folder, "basedpyright", "--pythonpath", sys.executable),
    )


def _run(folder: Path, program: str, *arguments: str) -> int:
    """Run a checker in a folder. Return its status."""
    return subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        check=False,
    ).returncode


def main() -> int:
    """Check everything. Return 0 if nothing was found."""
    with TemporaryDirectory(prefix="drapeau-examples-") as folder:
        return check(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
