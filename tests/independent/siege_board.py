"""The board of the naive siege: places, ways, how pieces go, and where they stand at first.

Squares are pairs (x, y), circles are their names.
"""

FILES, RANKS = 16, 12
CIRCLES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
RING = [(CIRCLES[n], CIRCLES[(n + 1) % 8]) for n in range(8)]
INNER = [("N", "E"), ("E", "S"), ("S", "W"), ("W", "N")]
EXITS = {  # D11: two gates, each with a white and a black square
    "EW": [("W", "e6"), ("W", "e7"), ("E", "l6"), ("E", "l7")],
    "NS": [("N", "h10"), ("N", "i10"), ("S", "h3"), ("S", "i3")],
}
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ALL = STRAIGHT + DIAGONAL
GARRISON_MOVES = {"G": (ALL, 1), "C": (STRAIGHT, 1), "S": (DIAGONAL, 1)}  # D7, D9, D11, D12
BESIEGER_MOVES = {  # D1, D3; the others are lost and a house rule
    "R1": {
        "G": (ALL, 2),
        "C": (STRAIGHT, 2),
        "K": (ALL, 1),
        "L": (DIAGONAL, 2),
        "S": (DIAGONAL, 1),
    },
    "range1": {
        "G": (ALL, 1),
        "C": (STRAIGHT, 1),
        "K": (STRAIGHT, 2),
        "L": (DIAGONAL, 2),
        "S": (DIAGONAL, 1),
    },
}


def name(place):
    return place if place in CIRCLES else "abcdefghijklmnop"[place[0]] + str(place[1] + 1)


def place_of(text):
    return text if text in CIRCLES else ("abcdefghijklmnop".index(text[0]), int(text[1:]) - 1)


def is_square(place):
    """Sixteen by twelve without the block f4 to k9, where the fort is."""
    if place in CIRCLES:
        return False
    x, y = place
    return 0 <= x < FILES and 0 <= y < RANKS and not (5 <= x <= 10 and 3 <= y <= 8)


def colour(place):
    return "dark" if sum(place) % 2 == 0 else "light"  # a1 is black


def written(move):
    return f"{name(move[0])}-{name(move[1])}"


def two_files():
    """The soldiers fill a file, the officers stand behind them; black by half a turn."""
    white = {f"b{rank}": "S" for rank in range(1, 13)}
    white |= {"a4": "L", "a5": "K", "a6": "C", "a7": "G", "a8": "K", "a9": "L"}
    for square, rank in white.items():
        x, y = place_of(square)
        yield {"seat": "white", "rank": rank, "square": square}
        yield {"seat": "black", "rank": rank, "square": name((15 - x, 11 - y))}


def check_own_colour(at):
    """White stands on white squares only, officers on the outermost file, black on black ones."""
    for files, seat, shade in (("abc", "white", "light"), ("pon", "black", "dark")):
        squares = [place_of(f"{file}{rank}") for file in files for rank in range(1, 13)]
        here = {place for place in squares if colour(place) == shade}
        assert here == {place for place, piece in at.items() if piece["seat"] == seat}
        last = [at[place]["rank"] for place in here if name(place)[0] == files[0]]
        assert sorted(last) == sorted("GCKKLL")
