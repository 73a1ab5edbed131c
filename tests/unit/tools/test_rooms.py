"""The project has no circle of imports, and the tool that looks for one finds it."""

import networkx as nx

from tests.tree import ROOT
from tools import rooms


def test_no_files_import_each_other_in_a_circle():
    graph = rooms.imports(ROOT)

    assert len(graph) > 400
    assert rooms.circles(graph) == []
    for package in (*rooms.PACKAGES, "botkit", "tools"):
        assert rooms.circles(rooms.rooms(graph, package)) == [], package


def test_a_circle_is_found_and_its_rooms_share_a_floor():
    graph = nx.DiGraph([("p.a.one", "p.b"), ("p.b", "p.a.two"), ("p.a.two", "p.a.one")])
    graph.add_edge("p.c", "p.a.one")

    found = rooms.rooms(graph, "p")

    assert rooms.circles(graph) == [["p.a.one", "p.a.two", "p.b"]]
    assert sorted(found.edges) == [("p.a", "p.b"), ("p.b", "p.a"), ("p.c", "p.a")]
    assert rooms.floors(found) == {"p.a": 1, "p.b": 1, "p.c": 2}
