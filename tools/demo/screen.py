"""What the demo shows: bars that move on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table

_LINE_EVERY_S = 10.0
_BAR_CELLS = 20


class Bars:
    """Several counts on their way to a total: `update` as often as you like."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._title = title
        self._tasks: dict[str, TaskID] = {}
        self._last_line = 0.0
        self._last_text = ""
        self._progress = Progress(
            TextColumn("  {task.description:<26}"),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Self:
        self._console.print(f"[bold]{self._title}[/bold]")
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._console.is_terminal and self._last_text:
            self._console.print(self._last_text, highlight=False)
        self._progress.stop()

    def update(self, counts: Mapping[str, tuple[int, int]], notes: Mapping[str, str]) -> None:
        """Show `{name: (done, total)}`, with a note beside a bar where there is one."""
        for name, (done, total) in counts.items():
            note = escape(notes.get(name, ""))
            if name not in self._tasks:
                self._tasks[name] = self._progress.add_task(name, total=total, note=note)
            self._progress.update(self._tasks[name], completed=min(done, total), note=note)
        text = "\n".join(_plain(name, done, total) for name, (done, total) in counts.items())
        due = time.monotonic() - self._last_line >= _LINE_EVERY_S
        if self._console.is_terminal or text == self._last_text or not due:
            self._last_text = text
            return
        self._console.print(text, highlight=False)
        self._last_line = time.monotonic()
        self._last_text = ""


def _plain(name: str, done: int, total: int) -> str:
    filled = _BAR_CELLS * min(done, total) // max(total, 1)
    bar = "#" * filled + "-" * (_BAR_CELLS - filled)
    return f"  {name:<26} [{bar}] {min(done, total)}/{total}".replace("[", "\\[")


def table(
    console: Console,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> None:
    """Print rows under a title; all columns but the second are numbers or short words."""
    shown = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        shown.add_column(column, justify="left" if number == 1 else "right")
    for row in rows:
        shown.add_row(*(escape(cell) for cell in row))
    console.print(shown)
