"""A copy of the project in which one file at a time is changed and tests are run."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import tree

PASSED, FAILED = 0, 1  # what pytest ends with; anything else means that tests could not be run


@dataclass(frozen=True, slots=True)
class TreeCopy:
    """A copy of all files that git tracks or would add."""

    root: Path

    def text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    @contextmanager
    def changed(self, name: str, text: str) -> Iterator[None]:
        """Yield a file another text for as long as the context lasts."""
        before = self.text(name)
        self._write(name, text)
        try:
            yield
        finally:
            self._write(name, before)

    def _write(self, name: str, text: str) -> None:
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        # Python takes a compiled file for current by the second and the size of its source.
        Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)

    def run_tests(self, *arguments: str, timeout_s: float | None = None) -> int:
        """Run pytest and return its exit status. Raise subprocess.TimeoutExpired.

        Tests and their examples are in the same order in every run.
        """
        pytest = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly")
        done = tree.run_in(
            self.root, *pytest, "--hypothesis-seed=0", *arguments, timeout_s=timeout_s
        )
        return done.returncode


@contextmanager
def fresh() -> Iterator[TreeCopy]:
    """Copy the project to a temporary folder and remove the copy in the end."""
    with TemporaryDirectory(prefix="drapeau-mutations-") as folder:
        copy = TreeCopy(Path(folder))
        tree.copy_files(tree.tracked(), to=copy.root)
        yield copy
