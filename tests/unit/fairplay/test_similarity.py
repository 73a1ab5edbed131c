import random

from arena.domain.fairplay import similarity
from arena.domain.fairplay.similarity import UploadedProgram

STARTER = "\n".join(
    f"def helper_{n}(board, side):\n    return board[{n}] + side * {n}" for n in range(60)
)


def program(seed, lines=120):
    """Write a program that resembles no other."""
    chance = random.Random(seed)
    names = [f"{chance.choice('abcdefgh')}{chance.randrange(10_000)}" for _ in range(lines)]
    return "\n".join(
        f"def {name}(x, y):\n    return x * {chance.randrange(999)} - {chance.choice(names)}(y)"
        for name in names
    )


def test_one_program_of_several_owners_is_found_and_house_bots_are_anybodys():
    programs = [
        UploadedProgram(1, 10, "aa"), UploadedProgram(2, 20, "aa"),
        UploadedProgram(3, 30, "bb"), UploadedProgram(4, 30, "bb"),
        UploadedProgram(5, 10, "cc"), UploadedProgram(6, 20, "cc"),
    ]  # fmt: skip

    found = similarity.of_several_owners(programs, known={"cc"})

    assert [row.bots for row in found] == [(1, 2)]


def test_many_bots_of_one_owner_that_are_one_program_are_found():
    programs = [UploadedProgram(bot, 10, "aa") for bot in (1, 2, 3)]
    programs += [
        UploadedProgram(4, 20, "aa"),
        UploadedProgram(5, 20, "aa"),
        UploadedProgram(6, 20, "bb"),
    ]

    assert [row.bots for row in similarity.many_of_one_owner(programs)] == [(1, 2, 3)]


def test_a_copy_with_other_spaces_comments_and_some_changes_is_found():
    original = program(1)
    lines = original.splitlines()
    lines[10:12] = ["def changed(z):", "    return 17  # another idea"]
    copy = "# my own work\n" + "\n\n".join(lines).replace("    ", "  ")
    sources = {1: original, 2: copy, 3: program(2), 4: program(3)}
    owners = {1: 10, 2: 20, 3: 30, 4: 40}

    found = similarity.near_copies(sources, owners)

    assert [row.bots for row in found] == [(1, 2)]
    assert similarity.NEARLY <= found[0].share < 1


def test_copies_of_copies_are_one_group():
    text = program(1)
    sources = {1: text, 2: text + "\nx = 1", 3: "import sys\n" + text, 4: program(2)}

    found = similarity.near_copies(sources, {1: 10, 2: 20, 3: 30, 4: 40})

    assert [row.bots for row in found] == [(1, 2, 3)]
    assert similarity.NEARLY <= found[0].share < 1


def test_what_both_took_from_the_starter_kit_does_not_count():
    sources = {1: STARTER + "\n" + program(1), 2: STARTER + "\n" + program(2)}
    owners = {1: 10, 2: 20}

    assert similarity.near_copies(sources, owners, known=[STARTER]) == []
    assert similarity.near_copies({1: STARTER, 2: STARTER}, owners, known=[STARTER]) == []
    assert len(similarity.near_copies({1: STARTER, 2: STARTER}, owners)) == 1


def test_copies_of_ones_own_and_short_programs_are_left_alone():
    text = program(1)

    assert similarity.near_copies({1: text, 2: text}, {1: 10, 2: 10}) == []
    assert similarity.near_copies({1: "print(1)", 2: "print(1)"}, {1: 10, 2: 20}) == []


def test_comments_that_never_end_take_no_longer_than_others():
    text = program(1) + "\n" + "/*a" * 200_000  # each beginning once looked for an end to the end

    found = similarity.near_copies({1: text, 2: program(1)}, {1: 10, 2: 20})

    assert [row.bots for row in found] == [(1, 2)]
