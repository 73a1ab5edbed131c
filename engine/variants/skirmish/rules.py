"""Eight pieces a side on five by five squares, to learn on; every rule is a house rule."""

from types import MappingProxyType

from engine.duel.spec import DuelSpec
from engine.duel.variant import make_duel
from engine.variants.skirmish.diagrams import diagrams

SPEC = DuelSpec(
    slug="skirmish",
    version=1,
    title="Skirmish",
    files=5,
    ranks=5,
    home=("a1", "b1", "c1", "d1", "e1", "b2", "c2", "d2"),
    lakes=MappingProxyType({"none": ()}),
    army=MappingProxyType({"F": 1, "M": 1, "6": 1, "3": 1, "2": 2, "S": 1, "B": 1}),
    spy_beats="M",
    sentences=MappingProxyType(
        {
            "army": "E2",
            "home": "E3",
            "turn": "E4",
            "own": "E4",
            "step": "E5",
            "occupied": "E5",
            "immobile": "E6",
            "path": "E7",
            "far_strike": "E7",
            "shuttle": "E12",
            "chase": "E18",
            "run_strike": "E18",
        }
    ),
)

VARIANT = make_duel(SPEC, diagrams=diagrams(SPEC))
