"""What a bot sees of a duel: its pieces and squares, with names, types and a little geometry."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from botkit import ranks
from botkit.ranks import LADDER
from botkit.view import Fallen, View

__all__ = ["DuelView", "LastMove", "Move", "Piece", "facing"]

_MOVE = re.compile(r"([a-z]\d{1,2})([a-z]\d{1,2})")


class Move(NamedTuple):
    """One action of the turn phase, taken apart: `Move.parse("a9a10") == Move("a9", "a10")`."""

    origin: str
    target: str

    @classmethod
    def parse(cls, action: str) -> "Move":
        """Take a legal action apart; raise ValueError for anything else."""
        match = _MOVE.fullmatch(action)
        if match is None:
            raise ValueError(f"{action!r} is not a move such as 'a4a5'")
        return cls(match[1], match[2])

    def __str__(self) -> str:
        return self.origin + self.target


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece on the board. `rank` is empty while you may not know it.

    `revealed` says that every seat knows the rank: a piece of yours that is not revealed can bluff.
    """

    id: str
    seat: str
    square: str
    rank: str
    moved: bool
    revealed: bool


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last move of a seat, attacks included.

    `repetition` counts the moves in a row that the piece has made between the same two squares,
    this one too. Where it has reached the limit `shuttle` of the game, the next one is refused.
    """

    piece: str
    origin: str
    target: str
    repetition: int


@lru_cache(maxsize=8)
def _neighbours(files: int, ranks: int, lakes: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Map every square that is not a lake to the squares one step away from it."""
    wet = set(lakes)
    place = {(x, y): f"{chr(97 + x)}{y + 1}" for y in range(ranks) for x in range(files)}
    return {
        name: tuple(
            place[step]
            for step in ((x, y + 1), (x + 1, y), (x - 1, y), (x, y - 1))
            if step in place and place[step] not in wet
        )
        for (x, y), name in place.items()
        if name not in wet
    }


class DuelView(View):
    """A duel as your seat may see it. Squares are text such as `a1` (bottom left, red's side)."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Wrap the `view` of an `act` message; everything unnamed here is still in `raw`."""
        super().__init__(data)
        board = data["board"]
        self.files: int = board["files"]
        self.ranks: int = board["ranks"]
        self.lakes: tuple[str, ...] = tuple(board["lakes"])
        self.army: dict[str, int] = dict(data["army"])
        self.home: tuple[str, ...] = tuple(data.get("home") or ())
        self.quiet_plies: int = data["no_attack_plies"]  # plies since the last attack
        self.captured = Fallen.all_of(data["captured"])
        self.last: dict[str, LastMove | None] = {
            seat: last and LastMove(last["piece"], last["from"], last["to"], last["repetition"])
            for seat, last in data["last"].items()
        }
        self.pieces = [
            Piece(p["id"], p["seat"], p["square"], p["rank"] or "", p["moved"], p["revealed"])
            for p in data["pieces"]
        ]

    @cached_property
    def moves(self) -> list[Move]:
        """Your legal actions in the phase `turn`, taken apart."""
        return [Move.parse(action) for action in self.legal]

    @cached_property
    def own(self) -> list[Piece]:
        """Your pieces on the board."""
        return [piece for piece in self.pieces if piece.seat == self.seat]

    @cached_property
    def enemy(self) -> list[Piece]:
        """The other army's pieces on the board."""
        return [piece for piece in self.pieces if piece.seat != self.seat]

    @cached_property
    def by_square(self) -> dict[str, Piece]:
        """Every piece on the board, by where it stands."""
        return {piece.square: piece for piece in self.pieces}

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """For each square that is not a lake, the squares one step away."""
        return _neighbours(self.files, self.ranks, self.lakes)

    @cached_property
    def top(self) -> str:
        """The strongest rank of this variant, the only one that a spy can beat by attacking."""
        return max((rank for rank in self.army if rank in LADDER), key=LADDER.index)

    @cached_property
    def roster(self) -> list[str]:
        """The army as one rank code per piece."""
        return [rank for rank, count in self.army.items() for _ in range(count)]

    @cached_property
    def hidden(self) -> dict[str, int]:
        """How many of each rank the other army still hides: neither fallen nor known."""
        left = dict(self.army)
        for piece in self.enemy:
            if piece.rank:
                left[piece.rank] -= 1
        for fallen in self.captured:
            if fallen.seat != self.seat:
                left[fallen.rank] -= 1
        return left

    def depth(self, square: str) -> int:
        """Count the rows between your back row and a square: 0 is your back row."""
        row = int(square[1:]) - 1
        return row if self.seat == "red" else self.ranks - 1 - row

    def fight(self, attacker: str, defender: str) -> int:
        """Return how an attack ends: 1 the attacker wins, 0 both fall, -1 the attacker falls.

        This is the default reading; with the option `bomb_survives` off a bomb falls too.
        """
        return ranks.fight(attacker, defender, top=self.top)


VIEW = DuelView


def fold(
    last: Mapping[str, Any], events: Iterable[Mapping[str, Any]], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the view after these events; `last` stays as it is."""
    view = dict(last)
    home, quiet = view.pop("home", ()), view["no_attack_plies"]
    pieces = {piece["id"]: piece for piece in last["pieces"]}
    captured = list(last["captured"])
    moves = dict(last["last"])
    remembers = options.get("reveal_after_fight") != "forget"
    for event in events:
        kind = event["type"]
        if kind == "deployed":
            own = event["seat"] == last["observer"]
            # Only the pieces of an own seat have ranks.
            seat, ranks = event["seat"], event.get("deployment")
            pieces |= {
                f"{seat[0]}{number + 1}": {
                    "id": f"{seat[0]}{number + 1}",
                    "seat": seat,
                    "square": square,
                    "rank": ranks[number] if ranks else None,
                    "moved": False,
                    "revealed": False,
                }
                for number, square in enumerate(
                    home if own else [_turned(view["board"], at) for at in home]
                )
            }
        elif kind == "moved":
            quiet += 1
            moves[event["seat"]] = _moved(moves[event["seat"]], event["piece"], event, options)
            pieces[event["piece"]] = {
                **pieces[event["piece"]],
                "square": event["to"],
                "moved": True,
            }
        elif kind == "revealed" and remembers:
            shown = {"rank": event["rank"], "revealed": True}
            pieces[event["piece"]] = {**pieces[event["piece"]], **shown}
        elif kind == "fought":
            quiet = 0
            attacker = event["attacker"]["id"]
            moves[event["seat"]] = _moved(moves[event["seat"]], attacker, event, options)
            captured += _fight(pieces, event, remembers=remembers)
    here = {"pieces": [*pieces.values()], "captured": captured, "no_attack_plies": quiet}
    return {**view, **here, "last": moves}


def _moved(
    before: Mapping[str, Any] | None,
    piece: str,
    event: Mapping[str, Any],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a last move; going back to where the piece came from counts on."""
    count = 1
    if before is not None and before["piece"] == piece:
        back = [before["from"]]
        if options.get("shuttle_scout") == "path":
            back += _between(before["from"], before["to"])
        if event["to"] in back:
            count += before["repetition"]
    return {"piece": piece, "from": event["from"], "to": event["to"], "repetition": count}


def _between(start: str, end: str) -> list[str]:
    """Return the squares between two squares of a file or a rank."""
    files, ranks = sorted(map(ord, (start[0], end[0]))), sorted((int(start[1:]), int(end[1:])))
    inside = range(files[0] + 1, files[1])
    return [f"{chr(file)}{ranks[0]}" for file in inside] or [
        f"{start[0]}{rank}" for rank in range(ranks[0] + 1, ranks[1])
    ]


def _turned(board: Mapping[str, int], square: str) -> str:
    """Return where a square is when the board is turned by half: blue's home is red's turned."""
    file = chr(ord("a") + board["files"] - 1 - (ord(square[0]) - ord("a")))
    return f"{file}{board['ranks'] + 1 - int(square[1:])}"


def _fight(
    pieces: dict[str, Any], event: Mapping[str, Any], *, remembers: bool
) -> list[dict[str, Any]]:
    """Change the pieces that have fought, and return those that fell, the attacker first."""
    fallen = []
    for side in ("attacker", "defender"):
        known = event[side]
        piece = pieces[known["id"]]
        if event["winner"] != side:
            del pieces[known["id"]]
            fallen.append({"id": known["id"], "seat": piece["seat"], "rank": known["rank"]})
            continue
        shown = {"rank": known["rank"], "revealed": True} if remembers else {}
        went = {"square": event["to"], "moved": True} if side == "attacker" else {}
        pieces[known["id"]] = {**piece, **shown, **went}
    return fallen


def facing(*rows: str) -> str:
    """Turn a set-up drawn as you see it, front row first, into a deployment action.

    Spaces are for reading only: `facing("4 8 2", "B F B") == "BFB482"`.
    """
    return "".join(row.replace(" ", "") for row in reversed(rows))
