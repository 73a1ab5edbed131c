"""What a position is worth to the besiegers, in captured pieces: the count, and what comes next."""

from collections.abc import Sequence

from board import CODES, FIRST_BESIEGER, NOWHERE, SOLDIERS, UNREACHABLE, Board, Undo

from botkit import SiegeView

WIN = 1000.0
TO_TAKE = (24, 6)  # soldiers and officers that the garrison has to capture
PATIENCE = 200  # quiet plies at which who has reached more of its aim wins
LEAD = 25.0  # what it is worth to be ahead when patience ends
RISK = 6.0  # an officer inside can be captured, so it counts less than a soldier
OFFICER = 0.4  # what an officer is worth beyond a soldier
ALL_SOLDIERS_IN = 2.0  # then one officer decides
FEW = 10  # captures before a draw, from where on a lead of the garrison melts away
NEXT = 1.0  # the capture that the garrison makes at once
ANOTHER = 0.4  # each that it may make after it
PARRIED = 0.35  # a capture that the besiegers can still prevent
FORKED = 0.8  # each beyond it
OPEN = {1: 7.0, 2: 0.9, 3: 0.6}  # a gate, by the turns until a besieger can be in
AJAR = 0.3  # an open gate with nobody near
HELD = 0.8  # a besieger before a gate; half of it where it is not needed inside
SALLY = 0.7  # a piece of the garrison outside, which can hunt
HUNTERS = 4  # as many as should be there
CROWDED_OUT = 0.5  # each more
ROOM = 0.03  # a free place that one of them could go to
STEP = 0.1  # a move nearer to a gate
NEAR, FAR = 2, 12  # between these distances from a gate
CHASE = 0.06  # a move of a hunter nearer to somebody unguarded
SCENT = 8  # as far off as it matters


class Judge:
    """Keeps the worth of places up to date while moves are played, and judges positions."""

    def __init__(self, board: Board, view: SiegeView, need: Sequence[int], *, draws: bool) -> None:
        """Begin with the position of a view; `need` soldiers and officers must come inside.

        Where rule 10 `draws`, the capture of the last soldier outside saves the besiegers.
        """
        self.board = board
        self.need = need
        self.draws = draws
        self.quiet = view.quiet_plies
        self.begun = self.count()
        self.worth = self._worth_of_places()
        self.drift = 0.0
        self.known: dict[tuple[int, ...], tuple[float, bool]] = {}

    def count(self) -> tuple[int, ...]:
        """Return the soldiers and officers inside, and those that were taken."""
        return (*self.board.inside, *self.board.taken)

    def _worth_of_places(self) -> list[list[float]]:
        """Return places by code: besiegers want to be near a gate, hunters near their prey."""
        tables, first = self.board.tables, self.board.tables.first_circle
        circles = [0.0] * (len(tables.names) - first)
        far = self._far_from_prey()
        hunt = [CHASE * min(far.get(place, SCENT), SCENT) for place in range(first)] + circles
        worth = [hunt] * FIRST_BESIEGER
        for code in range(FIRST_BESIEGER, CODES):
            ways = [tables.far[gate][code] for gate in tables.gates]
            steps = (min(way[place] for way in ways) for place in range(first))
            worth.append([-STEP * min(max(step, NEAR), FAR) for step in steps] + circles)
        return worth

    def _far_from_prey(self) -> dict[int, int]:
        """Count the moves of a general to the nearest besieger that nobody guards."""
        board, first = self.board, self.board.tables.first_circle
        outside = [
            place for seat in (1, 2) for place in board.places[seat] if NOWHERE < place < first
        ]
        queue = [place for place in outside if not board.guarded(place)] or outside
        far = dict.fromkeys(queue, 0)
        for place in queue:
            for other in board.tables.steps[1][place]:
                if other < first and other not in far:
                    far[other] = far[place] + 1
                    queue.append(other)
        return far

    def play(self, start: int, target: int) -> tuple[float, Undo]:
        """Play a move. Return what takes it back."""
        at, worth, before = self.board.at, self.worth, self.drift
        code, victim = at[start], at[target]
        self.drift += (
            worth[code][target] - worth[code][start] - worth[victim][target] * bool(victim)
        )
        return before, self.board.play(start, target)

    def take_back(self, start: int, target: int, played: tuple[float, Undo]) -> None:
        """Take the last move back."""
        self.drift = played[0]
        self.board.take_back(start, target, played[1])

    def needed(self) -> tuple[bool, bool]:
        """Return whether another soldier is needed inside, and whether another officer is."""
        inside, need = self.board.inside, self.need
        return inside[0] < need[0], inside[1] < need[1]

    def standing(self) -> tuple[float, bool]:
        """Judge the counts alone: who has won or would at the cap, and whether the game is over."""
        count = self.count()
        if count not in self.known:
            self.known[count] = self._judge_counts(*count)
        return self.known[count]

    def _judge_counts(self, soldiers: int, officers: int, *taken: int) -> tuple[float, bool]:
        if soldiers >= self.need[0] and officers >= self.need[1]:
            return WIN, True
        enough = taken[1] >= TO_TAKE[1]
        if enough and taken[0] + soldiers >= TO_TAKE[0]:
            return (0.0 if soldiers and self.draws else -WIN), True
        officers = min(officers, self.need[1])
        reached = min(soldiers, self.need[0]) + officers
        fallen = sum(map(min, taken, TO_TAKE))
        lead = reached * sum(TO_TAKE) / sum(self.need) - fallen
        ahead = 0 if reached and lead == 0 else 1 if lead > 0 else -1
        if (soldiers, officers, *taken) == self.begun:
            lead += ahead * LEAD * (self.quiet / PATIENCE) ** 2
        lead -= OFFICER * min(taken[1], TO_TAKE[1]) + RISK * officers
        lead += ALL_SOLDIERS_IN * (soldiers >= self.need[0])
        if soldiers and ahead < 0 and self.draws:
            left = TO_TAKE[0] - taken[0] - soldiers + max(0, TO_TAKE[1] - taken[1])
            lead *= min(1.0, left / FEW)
        return lead, False

    def value(self, seat: int, *, garrison_next: bool) -> tuple[float, list[int]]:
        """Judge a position, with the besieger that moves next. Return also what could be taken."""
        standing, over = self.standing()
        if over:
            return standing, []
        hunted, prey = self._hunt()
        loss = 0.0
        if prey:
            first, more = (NEXT, ANOTHER) if garrison_next else (PARRIED, FORKED)
            loss = first + more * (len(prey) - 1)
        gates = self._gates(seat, prey, garrison_next=garrison_next)
        return standing + self.drift + gates - hunted - loss, prey

    def _hunt(self) -> tuple[float, list[int]]:
        """Judge the garrison's pieces outside, and list what could be captured."""
        board = self.board
        at, steps, first = board.at, board.tables.steps, board.tables.first_circle
        prey: list[int] = []
        outside = room = 0
        for start in board.places[0]:
            outside += start < first
            for place in steps[at[start]][start]:
                if not at[place]:
                    room += start < first
                elif place not in prey and board.prey(start, place):
                    prey.append(place)
        sally = SALLY * min(outside, HUNTERS) - CROWDED_OUT * max(0, outside - HUNTERS)
        return ROOM * room + sally, prey

    def _gates(self, seat: int, prey: list[int], *, garrison_next: bool) -> float:
        """Judge the gates: who stands before them, and how soon somebody can be in."""
        board, needed, score = self.board, self.needed(), 0.0
        at, steps = board.at, board.tables.steps
        for gate, squares in board.tables.gates.items():
            for square in squares:
                code = at[square]
                if code >= FIRST_BESIEGER and square not in prey:
                    score += HELD if needed[code not in SOLDIERS] else HELD / 2
            if not at[gate]:
                shuts = garrison_next and any(gate in steps[at[p]][p] for p in board.places[0])
                score += OPEN.get(self._turns_to(gate, seat, needed) + shuts, AJAR)
        return score

    def _turns_to(self, gate: int, seat: int, needed: tuple[bool, bool]) -> int:
        """Count the turns until a besieger that is needed can be in, while one seat is next."""
        at, far, first = self.board.at, self.board.tables.far[gate], self.board.tables.first_circle
        best = UNREACHABLE
        for besieger in (1, 2):
            for place in self.board.places[besieger]:
                if 0 <= place < first:
                    code = at[place]
                    if needed[code not in SOLDIERS]:
                        best = min(best, far[code][place] + (besieger != seat))
        return best
