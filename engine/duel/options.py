"""The options that every duel has, with the readings of the rules that they keep available."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.variant import Option

OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "shuttle_limit": Option(
            5, (5, 3, None), "moves in a row that one piece may make between the same two squares"
        ),
        "shuttle_scout": Option(
            "exact",
            ("exact", "path"),
            "what continues a scout's series: the same two squares, or any move on its last path",
        ),
        "chase_rule": Option(
            "off", ("off", "isf"), "whether endless chases are barred, as the federation plays it"
        ),
        "bomb_survives": Option(
            default=True,
            allowed=(True, False),
            doc="whether a bomb stays after it has blown up a piece",
        ),
        "scout_move_and_strike": Option(
            default=True,
            allowed=(True, False),
            doc="whether a scout may run and strike in one turn",
        ),
        "immobile": Option(
            "either",
            ("either", "mover"),
            "whose lack of moves ends the game: either player's, or only that of the one to move",
        ),
        "reveal_after_fight": Option(
            "known",
            ("known", "forget"),
            "whether the views keep showing the ranks told in fights (a memory aid) or not",
        ),
        "max_plies": Option(2000, (2000, None), "house rule: a draw after so many plies", least=1),
        "no_attack_plies": Option(
            200, (200, None), "house rule: a draw after so many plies without an attack", least=1
        ),
    }
)
