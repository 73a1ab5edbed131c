"""Lists of bots: all of them come in or none, and every line that is wrong is named."""

import pytest

from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries, entry_lists
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return making.make_open(entry_policy="listed")


@pytest.fixture
def ada():
    owner = factories.make_user("ada")
    return {
        name: factories.make_ready(factories.make_bot(owner, name))
        for name in ("alpha", "beta", "gamma")
    }


def take(tournament, text):
    by = making.organizer(tournament)
    return entries.take_csv(tournament=tournament, by=by, text=text)


def wrong(tournament, text):
    by = making.organizer(tournament)
    errors = making.faults(entries.take_csv, tournament=tournament, by=by, text=text)
    assert list(errors) == ["text"]
    assert not tournament.entrants.exists()
    assert making.fresh(tournament).revision == 2
    return errors["text"]


def test_a_list_enters_bots_with_versions_and_seeds(tournament, ada):
    factories.make_ready(ada["beta"].bot)

    entrants = take(tournament, "bot,version,seed\nada/alpha,,2\nada/beta,1,1\nada/gamma,,\n")

    assert [(str(each.bot), each.version, each.seed) for each in entrants] == [
        ("ada/alpha", None, 2), ("ada/beta", ada["beta"], 1), ("ada/gamma", None, None),
    ]  # fmt: skip
    assert [str(each.bot) for each in entries.seeding(tournament=tournament)] == [
        "ada/beta", "ada/alpha", "ada/gamma",
    ]  # fmt: skip
    assert tournament.log.get(action="took_list").details == {
        "entrants": [each.pk for each in entrants], "changed": [],
    }  # fmt: skip
    assert tournament.revision == 3
    assert ada["beta"].bot.owner.notices.count() == 3


def test_list_repeating_present_state_changes_nothing(tournament, ada):
    text = "bot,version,seed\nada/alpha,,2\nada/beta,1,1\n"
    first = take(tournament, text)
    told = ada["beta"].bot.owner.notices.count()

    again = take(tournament, text)

    assert again == first
    assert tournament.revision == making.fresh(tournament).revision == 3
    assert tournament.log.filter(action="took_list").count() == 1
    assert ada["beta"].bot.owner.notices.count() == told


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffbot\r\nada/alpha\r\nada/beta\r\n",
        "BOT;Seed;\nada/alpha;1;\n\n;;\nada/beta;2;",
        "Seed\tBot\n1\tada/alpha\n2\tada/beta\n",
        '"bot","seed"\n"ada/alpha","1"\n" @ada/beta ","2"\n',
        "bot\rada/alpha\rada/beta\r",
        b"\xef\xbb\xbfbot\nada/alpha\nada/beta\n",
    ],
    ids=["windows", "semicolons", "tabs", "quoted", "old-mac", "bytes"],
)
def test_spreadsheet_quirks_of_list_are_accepted(tournament, ada, text):
    assert [str(each.bot) for each in take(tournament, text)] == ["ada/alpha", "ada/beta"]


def test_every_wrong_line_named_with_what_to_do(tournament, ada):
    factories.make_upload(ada["gamma"].bot)
    text = (
        "bot,version,seed\n"
        "ada/alpha,,1\n"
        "ada/nobody,,\n"
        "alpha,,\n"
        "ada/alpha,,3\n"
        "ada/beta,7,\n"
        "ada/gamma,2,1\n"
        "ada/beta,x,-4\n"
        "ada/beta,,,5\n"
    )

    assert wrong(tournament, text) == [
        "Line 3: There is no bot ada/nobody.",
        "Line 4: “alpha” is not the name of a bot. Write owner/bot, such as ada/greedy.",
        "Line 5: Line 2 has ada/alpha already. Remove one of them.",
        "Line 6: ada/beta has no version 7.",
        "Line 7: Line 2 has seed 1 already. Use each seed once.",
        "Line 7: This version is not ready: it is uploaded.",
        "Line 8: “x” is not a valid version. Write a whole number from 1, or nothing.",
        "Line 8: “-4” is not a valid seed. Write a whole number from 1, or nothing.",
        "Line 8: Line 6 has ada/beta already. Remove one of them.",
        "Line 9: It has 4 cells, and the header has 3. Remove the others.",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The list is empty."),
        ("bot\n", "The list names no bot."),
        ("name,seed\nada/alpha,1", "Line 1: These columns are unknown: name."),
        ("bot,bot\nada/alpha,1", "Line 1: These columns come twice: bot."),
        ("\nbot,,seed\nada/alpha,,1", "Line 2: These columns are unknown: (no name)."),
        ('bot\n"ada/alpha" x\n', "Line 2: A quoted cell does not end as it should."),
        (b"bot\nad\xe9/alpha", "The list is not text in UTF-8."),
        ("bot\nada/al\0pha", "The list is not text: it has null characters."),
        (
            "bot\n" + "x" * entry_lists.MOST_BYTES,
            "The list has 262148 bytes. The maximum is 262144.",
        ),
        ("bot\n" + "a/b\n" * 2001, "The list has 2001 lines. The maximum is 2000."),
        ("bot,seed\nada/alpha,²", "Line 2: “²” is not a valid seed."),
        ("bot,seed\nada/alpha,9999999", "Line 2: “9999999” is not a valid seed."),
    ],
)
def test_invalid_list_says_what_to_do(tournament, ada, text, said):
    assert wrong(tournament, text)[0].startswith(said)


def test_many_wrong_lines_first_named_rest_counted(tournament):
    said = wrong(tournament, "bot\n" + "\n".join(f"x{number}" for number in range(60)))

    assert (len(said), said[-1]) == (51, "And 10 more lines.")


def test_places_of_tournament_and_owner_are_limited(ada):
    small, shared = making.make_open(max_entrants=2), making.make_open(max_per_owner=1)

    (said,) = wrong(small, "bot\nada/alpha\nada/beta\nada/gamma")
    assert said.startswith("With this list it would have 3 entrants, and it has places for 2.")
    assert wrong(shared, "bot\nada/alpha\nada/beta") == [
        "Line 3: An owner may enter 1, and ada has as many. Remove the line."
    ]


def test_list_sent_again_changes_only_what_it_says(tournament, ada):
    first = take(tournament, "bot,seed\nada/alpha,1\nada/beta,2")
    ada["alpha"].bot.owner.notices.all().delete()

    second = take(tournament, "bot,seed\nada/alpha,2\nada/beta,1\nada/gamma,")

    assert [each.pk for each in second[:2]] == [each.pk for each in first]
    assert [each.seed for each in second] == [2, 1, None]
    assert tournament.log.latest("pk").details == {
        "entrants": [second[2].pk], "changed": [each.pk for each in first],
    }  # fmt: skip
    assert ada["alpha"].bot.owner.notices.count() == 3  # of two other seeds, and one that is new


def test_taken_seed_and_departed_bot_are_not_listed(tournament, ada):
    take(tournament, "bot,seed\nada/alpha,\nada/gamma,1")
    bot, by = ada["alpha"].bot, making.organizer(tournament)
    entries.leave(tournament=tournament, bot=bot, by=bot.owner)

    errors = making.faults(
        entries.take_csv, tournament=tournament, by=by, text="bot,seed\nada/alpha,\nada/beta,1"
    )

    assert errors["text"] == [
        "Line 2: The owner of ada/alpha declined or left. Only the owner can enter it again.",
        "Line 3: ada/gamma has seed 1 already. Choose another one.",
    ]


def test_seeds_with_gaps_are_closed_at_the_freeze(tournament, ada):
    take(tournament, "bot,seed\nada/alpha,9\nada/beta,\nada/gamma,4")

    stages.freeze(tournament=tournament, by=None)

    rows = tournament.entrants.order_by("seed")
    assert [(row.seed, str(row.bot)) for row in rows] == [
        (1, "ada/gamma"), (2, "ada/alpha"), (3, "ada/beta"),
    ]  # fmt: skip
