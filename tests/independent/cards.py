"""The card game once more, as dumb as possible: from the sentences of sheet C alone.

It shares no code with the engine. What chance dealt it is told by the engine's full view; it checks
that nothing was lost or added. Options are house rules or other readings of the sheet.
"""

from collections import Counter
from itertools import combinations, permutations
from typing import Any

from tests.independent.naive import Naive

OTHER = {"red": "blue", "blue": "red"}
SLOTS = (1, 2, 3, 4, 5)
DECKS = {
    "battle_cards_23": "F" + "M987" + "66" + "55" + "444" + "333" + "2222" + "S" + "BBB",
    "card_battle_minus_infiltrator": "F" + "M987" + "66" + "55" + "44" + "3333" + "2222" + "SBBB",
}
STRENGTH = {"S": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "M": 10}
DRAW = {"red": 0.5, "blue": 0.5}


def win(seat):
    return {seat: 1.0, OTHER[seat]: 0.0}


class Cards:
    """One game under way. `line` maps a slot to a card, a dict, or to None."""

    def __init__(self, options, dealt):
        self.options = options
        self.line: dict[str, Any] = {seat: dict.fromkeys(SLOTS) for seat in OTHER}
        self.hand, self.pile = {}, {}
        for seat in OTHER:
            self.take_dealt(seat, dealt, list(DECKS[options["deck"]]))  # C2, C4
        self.chosen = {}
        self.removed = []
        self.ply = self.turn = self.no_fight = 0
        self.phase, self.who = "opening", None
        self.fought, self.again = False, None
        self.later = []  # what comes next in this turn, the first thing first
        self.over = None

    def take_dealt(self, seat, view, cards):
        """C4, C21: eight cards are dealt, the others are the pile; none is lost or added."""
        shown = view["seats"][seat]
        assert Counter(shown["hand"] + shown["pile_order"]) == Counter(cards), (
            f"{seat} was misdealt"
        )
        assert len(shown["hand"]) == min(8, len(cards))
        self.hand[seat], self.pile[seat] = list(shown["hand"]), list(shown["pile_order"])

    def asked(self):
        if self.over:
            return set()
        return set(OTHER) - set(self.chosen) if self.phase == "opening" else {self.who}

    def allows(self, seat, text):
        """C5: five of the eight cards for the line; with fewer cards, as many as there are."""
        size = min(5, len(self.hand[seat]))
        return len(text) == size and not Counter(text) - Counter(self.hand[seat])

    def legal(self, seat):
        if self.phase in ("opening", "choose"):
            return None
        if self.phase == "fill":
            return self.fillings(seat)
        if self.phase == "chain":
            return self.attacks(seat, self.again) | {"stop"}
        return self.turns(seat)

    def turns(self, seat):
        """C11, C18, C18b, C21: one attack, or something shown instead; nobody may pass."""
        actions = set()
        for slot, card in self.line[seat].items():
            if card and card["rank"] not in "FB":  # C19c
                actions |= self.attacks(seat, slot)
            if card and card["rank"] == "S":
                actions.add(f"{slot}s")
            if card and card["rank"] == "2":
                there = self.targets(seat)
                for pair in combinations(there, min(2, len(there))):
                    actions.add(f"{slot}l" + "".join(map(str, pair)))
            if card and card["rank"] == "F":
                actions.add(f"{slot}f")
        return actions

    def targets(self, seat):
        return [slot for slot in SLOTS if self.line[OTHER[seat]][slot]]

    def attacks(self, seat, slot):
        return {f"{slot}x{target}" for target in self.targets(seat)}

    def gaps(self, seat):
        return [slot for slot in SLOTS if self.line[seat][slot] is None]

    def fillings(self, seat):
        """C12: as many gaps as the hand reaches; which card goes where is free."""
        gaps, hand = self.gaps(seat), self.hand[seat]
        count = min(len(gaps), len(hand))
        return {
            ",".join(f"{slot}={rank}" for slot, rank in zip(slots, ranks, strict=True))
            for slots in combinations(gaps, count)
            for ranks in permutations(hand, count)
        }

    def play(self, seat, action, dealt):
        if self.phase == "opening":
            self.chosen[seat] = action
            if len(self.chosen) == 2:
                for who, text in self.chosen.items():
                    self.choose_line(who, text)
                self.start_turn("red")  # C7
            return
        self.ply += 1
        if self.phase == "choose":
            self.choose_line(seat, action)
            self.go_on()
        elif self.phase == "fill":
            self.fill(seat, action)
            self.go_on()
        elif action == "stop":
            self.again = None
            self.go_on()
        else:
            self.act(seat, action, dealt)

    def choose_line(self, seat, text):
        for slot, rank in zip(SLOTS, text, strict=False):
            self.hand[seat].remove(rank)
            self.line[seat][slot] = {"rank": rank, "revealed": False, "seen": False}

    def start_turn(self, seat):
        """C9, C10: draw up to three, then see who can attack, then attack, then fill."""
        self.who, self.fought = seat, False
        while len(self.hand[seat]) < 3 and self.pile[seat]:
            self.hand[seat].append(self.pile[seat].pop(0))
        self.later = ["attack", "fill"]
        if self.options["refill_before_stuck_check"]:
            self.later.insert(0, "fill")
        self.go_on()

    def go_on(self):
        """Take up what comes next in the turn of `self.turner`, passing over what is nothing."""
        while self.later:
            step = self.later.pop(0)
            seat = OTHER[self.mover()] if step == "enemy fills" else self.mover()
            if step == "attack":
                self.come_to_attack(seat)
                return
            if step == "chain" and self.targets(seat):
                self.phase, self.who = "chain", seat
                return
            if step in ("fill", "enemy fills") and self.gaps(seat) and self.hand[seat]:
                self.phase, self.who = "fill", seat
                return
        self.end_turn()

    def mover(self):
        return "blue" if self.turn % 2 else "red"

    def come_to_attack(self, seat):
        """C25: with no card in line that can attack, the player has lost."""
        self.phase, self.who = "turn", seat
        ranks = [card["rank"] for card in self.line[seat].values() if card]
        saved = self.options["flag_trick_saves"] and "F" in ranks
        if not [rank for rank in ranks if rank not in "FB"] and not saved:
            self.over = ("no_attackers", win(OTHER[seat]))

    def end_turn(self):
        self.again = None
        self.turn += 1
        self.no_fight = 0 if self.fought else self.no_fight + 1
        if self.turn == self.options["max_turns"]:
            self.over = ("turn_cap", DRAW)
        elif self.no_fight == self.options["no_fight_turns"]:
            self.over = ("no_attack_cap", DRAW)
        else:
            self.start_turn(self.mover())

    def act(self, seat, action, dealt):
        slot, kind, rest = int(action[0]), action[1], [int(digit) for digit in action[2:]]
        if kind == "x":
            self.fight(seat, slot, rest[0])
        else:
            self.line[seat][slot]["revealed"] = True  # C18, C18b: it was turned up
        for target in rest if kind == "l" else ():
            self.line[OTHER[seat]][target]["seen"] = True
        if kind == "f":
            self.trick(seat, dealt)
        elif not self.over:
            self.go_on()

    def fight(self, seat, slot, target):
        """C13 to C17, C19a, C19b, C20."""
        own, others = self.line[seat], self.line[OTHER[seat]]
        attacker, defender = own[slot], others[target]
        attacker["revealed"] = defender["revealed"] = True
        self.fought, self.again = True, None
        winner = winner_of(attacker["rank"], defender["rank"])
        if winner != "attacker":
            own[slot] = None
            self.removed.append((seat, attacker["rank"]))
        if winner != "defender":
            others[target] = None
            self.removed.append((OTHER[seat], defender["rank"]))
        if defender["rank"] == "F":
            self.over = ("flag_captured", win(seat))
        if winner == "attacker" and self.options["chain_attacks"]:
            self.again = slot
            self.later.insert(0, "chain")
        if self.options["refill"] == "immediate":
            self.later.insert(0, "enemy fills")

    def trick(self, seat, dealt):
        """C21 to C23: line, hand and pile are mixed and dealt anew; nothing is known of them."""
        line = [card["rank"] for card in self.line[seat].values() if card]
        self.line[seat] = dict.fromkeys(SLOTS)
        self.take_dealt(seat, dealt, line + self.hand[seat] + self.pile[seat])
        self.phase = "choose"

    def fill(self, seat, action):
        for part in action.split(","):
            slot, rank = part.split("=")
            self.hand[seat].remove(rank)
            self.line[seat][int(slot)] = {"rank": rank, "revealed": False, "seen": False}

    def ending(self):
        return self.over

    def board(self):
        return {
            "ply": self.ply,
            "turn": self.turn,
            "no_fight": self.no_fight,
            "again": self.again if self.phase == "chain" and not self.over else None,
            "removed": sorted(self.removed),
            "line": self.line,
            "hand": {seat: sorted(self.hand[seat]) for seat in OTHER},
            "pile": self.pile,
        }


def winner_of(attacker, defender):
    if defender == "F":
        return "attacker"  # C20
    if defender == "B":
        return "attacker" if attacker == "3" else "defender"  # C19a, C19b
    if attacker == "S" and defender == "M":
        return "attacker"  # C16
    if attacker == defender:
        return None  # C15
    return "attacker" if STRENGTH[attacker] > STRENGTH[defender] else "defender"  # C14, C17


def seen(view):
    """Put the engine's full view into the words of `Cards.board`."""
    seats = view["seats"]
    return {
        "ply": view["ply"],
        "turn": view["turn"],
        "no_fight": view["no_fight_turns"],
        "again": view["again"],
        "removed": sorted((card["seat"], card["rank"]) for card in view["removed"]),
        "line": {
            seat: {
                slot: card and {key: card[key] for key in ("rank", "revealed", "seen")}
                for slot, card in zip(SLOTS, seats[seat]["line"], strict=True)
            }
            for seat in OTHER
        },
        "hand": {seat: sorted(seats[seat]["hand"]) for seat in OTHER},
        "pile": {seat: seats[seat]["pile_order"] for seat in OTHER},
    }


def peace(game, legal, rng):
    """Look and trick rather than fight."""
    return rng.choice([action for action in legal if action[1] in "slf"] or legal)


def no_flag(game, legal, rng):
    """Fight, but spare the flag, so that cards run out."""
    enemy = game.line[OTHER[game.who]]
    fights = [a for a in legal if a[1] == "x" and enemy[int(a[2])]["rank"] != "F"]
    return rng.choice(fights or legal)


NAIVE = Naive(
    begin=Cards,
    seen=seen,
    plans=(peace, no_flag),
    cap="max_turns",
    short=(5, 60),
    endings=frozenset(("flag_captured", "no_attackers", "turn_cap", "no_attack_cap")),
)
