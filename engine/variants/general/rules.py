"""Twenty-four pieces a side on eight by eight open squares; the general leads and fears the spy."""

from types import MappingProxyType

from engine.duel.spec import DuelSpec, whole_rows
from engine.duel.variant import make_duel
from engine.variant import Option
from engine.variants.general.diagrams import diagrams

SPEC = DuelSpec(
    slug="general",
    version=1,
    title="General",
    files=8,
    ranks=8,
    home=whole_rows(8, 3),
    lakes=MappingProxyType({"none": (), "lakes_8x8": ("c4", "f4", "c5", "f5")}),
    army=MappingProxyType({"F": 1, "9": 1, "8": 2, "7": 3, "4": 4, "3": 4, "2": 4, "S": 1, "B": 4}),
    spy_beats="9",
    sentences=MappingProxyType(
        {
            "army": "A4",
            "home": "A7",
            "turn": "A10",
            "own": "A10",
            "step": "A11",
            "path": "A12",
            "occupied": "A13",
            "immobile": "A14",
            "far_strike": "A15",
            "shuttle": "A31",
            "lake": "AX4",
            "chase": "AE2",
            "run_strike": "AE5",
        }
    ),
)

VARIANT = make_duel(
    SPEC,
    {
        "lakes": Option(
            "none", tuple(SPEC.lakes), "house rule: two small lakes between the armies"
        ),
        "red_by_lot": Option(
            default=True,
            allowed=(True, False),
            doc="whether a lot says who plays red in the first game, or the entrants' order",
        ),
    },
    diagrams(SPEC),
)
