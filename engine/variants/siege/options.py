"""The readings of the sheet that can be chosen."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.variant import Option

OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "need_inside": Option(
            "2+1",
            ("2+1", "3+1"),
            "soldiers and officers that must be inside the fort at once for the besiegers to win",
        ),
        "fort_entry": Option(
            "residual",
            ("residual", "immediate"),
            "when a soldier in the fort draws: once all others are taken, or as it enters",
        ),
        "rule10_when": Option(
            "action",
            ("action", "capture"),
            "when the draw of rule 10 is looked for: after every action, or after captures only",
        ),
        "rule10": Option(
            "progress",
            ("progress", "draw"),
            "house rule: whether progress decides where rule 10 draws, or it is drawn",
        ),
        "gates": Option(
            "EW", ("EW", "NS"), "where the gates are: east and west, or north and south"
        ),
        "setup": Option(
            "two_files",
            ("two_files", "own_colour"),
            "where the besiegers stand: two files, or the squares of their colour in three",
        ),
        "moves": Option(
            "R1",
            ("R1", "range1"),
            "how besieging generals, colonels and captains go: the long table or the short one",
        ),
        "demand": Option(
            "any",
            ("any", "named"),
            "what a besieger may ask for: some capture, or the capture of a piece it names",
        ),
        "besiegers_may_leave": Option(
            default=False,
            allowed=(False, True),
            doc="whether besiegers inside the fort may come out again",
        ),
        "besieger_pass": Option(
            default=True,
            allowed=(True, False),
            doc="whether a besieger without a move passes, or the other one moves in its place",
        ),
        "rule18_who": Option(
            "any",
            ("any", "officers"),
            "who may come out when the garrison's soldiers on the board are immobilised",
        ),
        "max_plies": Option(
            2000, (2000, None), "house rule: the game ends after so many plies", least=1
        ),
        "no_progress_plies": Option(
            200,
            (200, None),
            "house rule: the game ends after so many plies without a capture or an entry",
            least=1,
        ),
        "caps": Option(
            "progress",
            ("progress", "draw"),
            "house rule: whether progress decides a game that ends so, or it is drawn",
        ),
    }
)
