"""The rooms of the packages: on which floor each stands, what it imports, and circles of imports.

A room is a folder or a file directly in a package. Its floor is 1 if it imports no other room of
the package, else one more than the highest room that it imports. `--root` looks at another copy of
the project, so that a change of the layout can be compared with what was before.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import grimp
import networkx as nx
from rich.console import Console
from rich.table import Table

TOP = ("arena", "botkit", "engine", "sandbox", "tools")
PACKAGES = (
    "arena",
    "arena.api",
    "arena.domain",
    "arena.domain.tournaments",
    "arena.web",
    "engine",
    "sandbox",
)


def imports(root: Path) -> "nx.DiGraph[str]":
    """Return who imports whom, file by file, of the project in `root`.

    Imports for type checking alone do not count, and neither do the tests of a game in its folder.
    """
    sys.path.insert(0, str(root))
    try:
        found = grimp.build_graph(*TOP, exclude_type_checking_imports=True, cache_dir=None)
    finally:
        sys.path.remove(str(root))
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(found.modules)
    for module in found.modules:
        graph.add_edges_from((module, to) for to in found.find_modules_directly_imported_by(module))
    graph.remove_nodes_from([each for each in graph if each.rpartition(".")[2].startswith("test_")])
    return graph


def circles(graph: "nx.DiGraph[str]") -> list[list[str]]:
    """Return the sets of files that import each other in a circle, each set sorted."""
    return sorted(
        sorted(files) for files in nx.strongly_connected_components(graph) if len(files) > 1
    )


def rooms(graph: "nx.DiGraph[str]", package: str) -> "nx.DiGraph[str]":
    """Return which room of a package imports which."""
    depth = package.count(".") + 2

    def room(module: str) -> str:
        return ".".join(module.split(".")[:depth])

    inside = [each for each in graph if each.startswith(f"{package}.")]
    found: nx.DiGraph[str] = nx.DiGraph()
    found.add_nodes_from(map(room, inside))
    found.add_edges_from(
        (room(one), room(other))
        for one, other in graph.subgraph(inside).edges
        if room(one) != room(other)
    )
    return found


def floors(graph: "nx.DiGraph[str]") -> dict[str, int]:
    """Return the floor of each room, from 1. Rooms in a circle share their floor."""
    together = nx.condensation(graph)
    floor: dict[int, int] = {}
    for group in reversed(list(nx.topological_sort(together))):
        floor[group] = 1 + max((floor[below] for below in together.successors(group)), default=0)
    return {room: floor[group] for room, group in together.graph["mapping"].items()}


def show(graph: "nx.DiGraph[str]", packages: Sequence[str], console: Console) -> None:
    """Print a table of the rooms of each package, and the circles."""
    for package in packages:
        found = rooms(graph, package)
        of_floor = floors(found)
        table = Table("floor", "room", "files", "imports", title=package)
        for name in sorted(found, key=lambda name: (-of_floor[name], name)):
            files = sum(each == name or each.startswith(f"{name}.") for each in graph)
            below = sorted(successor.rpartition(".")[2] for successor in found.successors(name))
            table.add_row(
                str(of_floor[name]), name.rpartition(".")[2], str(files), ", ".join(below)
            )
        console.print(table)
        console.print(
            f"{package}: {len(found)} rooms, {max(of_floor.values(), default=0)} floors, "
            f"{found.number_of_edges()} arrows, {len(circles(found))} circles of rooms"
        )
    console.print(f"circles of files: {len(circles(graph))}")
    for circle in circles(graph):
        console.print(f"  {len(circle)} files: {', '.join(circle)}")


def main() -> int:
    """Show the rooms. Return 1 if files import each other in a circle."""
    parser = argparse.ArgumentParser(prog="python -m tools.rooms", description=__doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES, help="whose rooms to show")
    parser.add_argument("--root", type=Path, default=Path(), help="the copy of the project")
    given = parser.parse_args()
    graph = imports(given.root.resolve())
    show(graph, given.packages, Console())
    return 1 if circles(graph) else 0


if __name__ == "__main__":
    sys.exit(main())
