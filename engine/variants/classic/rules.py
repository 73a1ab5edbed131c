"""Forty pieces a side on ten by ten squares with two lakes; the marshal leads and fears the spy."""

from types import MappingProxyType

from engine.duel.spec import DuelSpec, whole_rows
from engine.duel.variant import make_duel
from engine.variants.classic.diagrams import diagrams

SPEC = DuelSpec(
    slug="classic",
    version=1,
    title="Classic",
    files=10,
    ranks=10,
    home=whole_rows(10, 4),
    lakes=MappingProxyType({"standard": ("c5", "d5", "g5", "h5", "c6", "d6", "g6", "h6")}),
    army=MappingProxyType(
        {
            "F": 1,
            "M": 1,
            "9": 1,
            "8": 2,
            "7": 3,
            "6": 4,
            "5": 4,
            "4": 4,
            "3": 5,
            "2": 8,
            "S": 1,
            "B": 6,
        }
    ),
    spy_beats="M",
    sentences=MappingProxyType(
        {
            "army": "B1",
            "home": "B7",
            "turn": "B12",
            "own": "B12",
            "step": "B13",
            "occupied": "B14",
            "lake": "B15",
            "shuttle": "B16",
            "immobile": "B19",
            "path": "B21",
            "far_strike": "B22",
            "chase": "BE2",
            "run_strike": "BE5",
        }
    ),
)

VARIANT = make_duel(SPEC, diagrams=diagrams(SPEC))
