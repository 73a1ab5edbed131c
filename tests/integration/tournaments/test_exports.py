"""Exports: what is in the tables and the document, and what they keep to themselves."""

import csv
import io
import json

import pytest

from arena.domain.tournaments import exports
from arena.models import Bot, Match
from tests import factories
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db


def table(tournament, what, rounds):
    text = exports.table(tournament=making.fresh(tournament), rounds=rounds, what=what)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def document(tournament, rounds):
    told = exports.document(tournament=making.fresh(tournament), rounds=rounds)
    return json.loads(json.dumps(told))


def named(tournament):
    """Return the bots by seed."""
    rows = tournament.entrants.filter(seed__isnull=False).order_by("seed")
    return [str(row.bot) for row in rows]


@pytest.fixture
def played():
    """Return a round robin of four: one round played, won by the first named, and one drawn."""
    return playing.play_round(playing.begin(4, tie_breaks=["wins", "fewer_forfeits"]))


def test_standings_have_a_line_each_with_tie_breaks(played):
    rows = table(played, "standings", 1)

    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["points"] for row in rows] == ["2", "2", "0", "0"]
    assert [row["wins"] for row in rows] == ["2", "2", "0", "0"]
    assert {row["bot"] for row in rows} == set(named(played))
    assert list(rows[0]) == [
        "rank", "bot", "name", "points", "games", "wins", "draws", "losses", "forfeits", "byes",
        "tie_break:wins", "tie_break:fewer_forfeits", "decided_by", "stage", "group",
    ]  # fmt: skip


def test_pairings_have_who_met_and_the_matches(played):
    first, second = (row for row in table(played, "pairings", 2) if row["round"] == "1")

    assert (first["pairing"], second["pairing"]) == ("1", "2")
    assert (first["wins_1"], first["losses_1"], first["wins_2"]) == ("2", "0", "0")
    ids = Match.objects.filter(pairing__round__number=1).order_by("pairing__number")
    assert [first["matches"], second["matches"]] == [match.public_id for match in ids]
    drawn = [row for row in table(played, "pairings", 2) if row["round"] == "2"]
    assert [row["wins_1"] for row in drawn] == ["", ""]


def test_chosen_version_is_not_told_before_freeze():
    tournament = making.make_open()
    version = factories.make_ready()
    making.enter(tournament, version, version=version)

    (row,) = table(tournament, "entrants", 0)
    told = document(tournament, 0)

    assert (row["version"], row["digest"], row["seed"]) == ("", "", "1")
    assert told["entrants"][0]["version"] is None
    assert told["standings"] == told["rounds"] == []
    assert table(tournament, "standings", 0) == []


def test_document_has_all_needed_to_reckon_again(played):
    told = document(played, 2)

    assert told["tournament"]["commitment"] == played.commitment != ""
    assert told["tournament"]["secret"] == ""  # until the release
    assert told["tournament"]["scoring"] == {
        "name": "classic", "win": 1.0, "draw": 0.5, "loss": 0.0, "forfeit": 0.0,
    }  # fmt: skip
    assert told["tournament"]["tie_breaks"] == ["wins", "fewer_forfeits"]
    assert told["tournament"]["format"] == "round_robin"
    assert [each["bot"] for each in told["entrants"]] == named(played)
    entrants = played.entrants.order_by("seed").select_related("version")
    for rows in (told["entrants"], table(played, "entrants", 2)):
        assert [(str(row["seed"]), str(row["version"]), row["digest"]) for row in rows] == [
            (str(row.seed), str(row.version.number), row.digest) for row in entrants
        ]
    first, second = told["rounds"]
    assert (first["is_finished"], second["is_finished"]) == (True, False)
    pairing = first["pairings"][0]
    assert pairing["is_over"]
    assert [each["wins"] for each in pairing["entrants"]] == [2, 0]
    assert [each["wins"] for each in second["pairings"][0]["entrants"]] == [None, None]
    match = Match.objects.get(public_id=pairing["matches"][0])
    assert match.pairing is not None
    assert pairing["id"] == match.pairing.public_id


def test_hidden_rounds_change_no_byte_of_table():
    tournament = playing.begin(4)

    def tables(rounds):
        cup = making.fresh(tournament)
        return {
            what: exports.table(tournament=cup, rounds=rounds, what=what) for what in exports.TABLES
        }

    before = tables(0)

    playing.play_round(tournament)

    assert tables(0) == before
    same = {what for what, seen in tables(1).items() if seen == before[what]}
    assert same == {"entrants"}


def test_late_entrant_came_in_at_no_unshown_round():
    tournament = making.make_running(
        6, rounds=2, format="swiss", format_options={"rounds": 3}, min_entrants=6,
        last_entry_round=3,
    )  # fmt: skip
    making.enter(tournament)

    assert [document(tournament, shown)["entrants"][-1]["from_round"] for shown in (0, 1, 2)] == [
        None, None, 3,
    ]  # fmt: skip


def test_what_a_spreadsheet_would_reckon_out_is_quoted():
    tournament = making.make_frozen(2)
    for begin in ("=", "+", "-", "@", "\t", "\r"):
        Bot.objects.update(name=f'{begin}HYPERLINK("http://evil.example","x")')
        for what in ("standings", "entrants"):
            rows = table(tournament, what, 0)
            assert {row["name"][:2] for row in rows} == {f"'{begin}"}


def test_numbers_below_nought_stay_numbers():
    tournament = playing.begin(2, tie_breaks=["fewer_forfeits"])
    (match,) = Match.objects.filter(pairing__isnull=False)
    factories.forfeit_all(match, 1)

    rows = table(playing.go_on(tournament), "standings", 1)

    assert [row["tie_break:fewer_forfeits"] for row in rows] == ["0", "-2"]


def test_knockout_with_bye_has_slots_and_stages():
    tournament = playing.begin(3, format="single_elimination")
    while making.fresh(tournament).status == "running":
        playing.play_round(tournament)

    rounds = tournament.rounds.count()
    pairings = table(tournament, "pairings", rounds)
    assert "bye" in {row["decision"] for row in pairings}
    assert all(row["slot"] for row in pairings)
    stages_ = [int(row["stage"]) for row in table(tournament, "standings", rounds)]
    assert stages_ == sorted(stages_, reverse=True)


def test_a_siege_of_three_has_columns_for_three():

    tournament = playing.begin(3, ladder="siege-3")

    (row,) = table(tournament, "pairings", 1)

    assert {row["bot_1"], row["bot_2"], row["bot_3"]} == set(named(tournament))
