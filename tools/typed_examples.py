"""Check the Python programs of the documents with mypy and basedpyright, as their authors would."""

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
FENCE = re.compile(r"^( *)```python\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
MYPY = ("--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=cache")


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


def check(folder: Path) -> int:
    """Run both programs over all files of a folder. Return 0 if neither finds anything."""
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": ["."]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    names = sorted(path.name for path in folder.glob("*.py"))
    commands = (("mypy", *MYPY, *names), ("basedpyright",))
    return max(
        subprocess.run(
            [Path(sys.executable).with_name(program), *arguments],
            cwd=folder,
            env={**os.environ, "MYPYPATH": str(ROOT)},
            check=False,
        ).returncode
        for program, *arguments in commands
    )


def main() -> int:
    """Write the programs to a folder and check them there."""
    found = programs()
    if not found:
        raise SystemExit("no program was found in the documents")
    with TemporaryDirectory(prefix="drapeau-examples-") as folder:
        for name, content in found.items():
            Path(folder, name).write_text(content, "utf-8")
        return check(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
