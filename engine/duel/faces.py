"""The pictures of a duel's pieces, by the codes of their ranks."""

from engine.faces import Face, Pictures, dot, fill, lines, star

_DRAWINGS = {
    "F": lines("M38 17V51") + fill("M40 18Q49 13 56 19T70 19V36Q63 41 55 36T40 36Z"),
    "B": dot(48, 38, 14) + lines("M57 28Q62 20 68 22") + star(71, 20, 7),
    "S": fill("M29 32H71L74 37H26ZM38 30 42 17H58L62 30Z")
    + lines("M34 45a6 6 0 1 0 12 0")
    + lines("M54 45a6 6 0 1 0 12 0M34 45H66"),
    "2": lines("M34 20 50 34 34 48M52 20 68 34 52 48"),
    "3": lines("M36 51 60 25") + fill("M40 16Q62 15 71 38L65 41Q58 25 38 22Z"),
    "4": lines("M34 28 50 17 66 28M34 39 50 28 66 39M34 50 50 39 66 50"),
    "5": star(50, 28, 13) + lines("M34 48H66"),
    "6": star(37, 28, 12) + star(63, 28, 12) + lines("M34 48H66"),
    "7": star(33, 32, 10) + star(50, 25, 10) + star(67, 32, 10) + lines("M34 49H66"),
    "8": fill("M31 44 28 21 40 31 50 16 60 31 72 21 69 44Z") + lines("M32 51H68"),
    "9": lines("M33 19 60 46M56 50 64 42M67 19 40 46M44 50 36 42") + star(50, 19, 8),
    "M": fill("M34 33 31 16 41 24 50 13 59 24 69 16 66 33Z") + lines("M35 53 65 40M35 40 65 53"),
}

PICTURES = Pictures({code: Face(code, drawing) for code, drawing in _DRAWINGS.items()})
