"""The project has no circle of imports, and the tool that looks for one finds it."""

from tests.tree import ROOT
from tools import rooms


def test_no_files_import_each_other_in_a_circle():
    graph = rooms.imports(ROOT)

    assert len(graph) > 400
    assert rooms.circles(graph) == []
    for package in (*rooms.PACKAGES, "botkit", "tools"):
        assert rooms.circles(rooms.rooms(graph, package)) == [], package
