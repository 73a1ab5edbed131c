"""A capability has one name in every layer, and no modules import each other in a circle."""

import grimp
import networkx as nx
import pytest

from tests.tree import tracked

OF_DJANGO = {"account", "allauth", "mfa", "socialaccount"}  # allauth looks for its templates there
TOP = ("arena", "botkit", "engine", "sandbox", "tools")
PACKAGES = (*TOP, "arena.api", "arena.domain", "arena.domain.tournaments", "arena.web")


def folders(layer: str) -> set[str]:
    inside = (name.removeprefix(f"{layer}/") for name in tracked() if name.startswith(f"{layer}/"))
    return {name.partition("/")[0] for name in inside if "/" in name}


CAPABILITIES = folders("arena/domain") - {"formats"}
OVERVIEW = "overview"  # pages that span capabilities


@pytest.mark.parametrize("layer", ["arena/web", "arena/api", "arena/templates"])
def test_layer_has_domain_capabilities_and_no_others(layer):
    without = set() if layer == "arena/web" else {"ratings"}  # its numbers are on other pages

    assert CAPABILITIES - without <= folders(layer) <= CAPABILITIES | OF_DJANGO | {OVERVIEW}


def circles(edges):
    return [
        sorted(names)
        for names in nx.strongly_connected_components(nx.DiGraph(edges))
        if len(names) > 1
    ]


def test_no_modules_or_packages_import_in_circle():
    graph = grimp.build_graph(*TOP, exclude_type_checking_imports=True, cache_dir=None)
    tests = [name for name in graph.modules if name.rpartition(".")[2].startswith("test_")]
    imports = [
        (module, imported)
        for module in graph.modules.difference(tests)
        for imported in graph.find_modules_directly_imported_by(module)
    ]

    assert len(imports) > 2000
    assert circles(imports) == []
    for package in PACKAGES:
        depth = package.count(".") + 2
        inside = [
            [".".join(name.split(".")[:depth]) for name in names]
            for names in imports
            if all(name.startswith(f"{package}.") for name in names)
        ]
        assert circles([(one, other) for one, other in inside if one != other]) == [], package
