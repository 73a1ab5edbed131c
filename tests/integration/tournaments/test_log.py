"""The public log: everything that may be in it has words, and everybody sees what they may."""

import ast
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import override

from arena.domain.formats.types import DecisionNote
from arena.domain.tournaments import log, phrases, reasons
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.base import REGISTRY
from arena.models import AppendOnly, Release, TournamentRound
from tests import factories
from tests.integration.tournaments import making, rows

ARENA = Path(log.__file__).resolve().parents[2]
# Their first argument is a code.
MADE_OF = ("DecisionNote", "RoundOutline", "Unplayable", "outline", "scheduled.outline")
PLACEHOLDER = re.compile(r"%\((\w+)\)")


def strings(node):
    return {
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def assigned(tree, name):
    """Return the strings that a name of a module may stand for, also as an argument."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and name in [getattr(t, "id", "") for t in node.targets]:
            found |= strings(node.value)
    return found


def codes_of(path):
    """Yield the codes that a module of formats makes notes, outlines and refusals of."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in MADE_OF and node.args:
            code = node.args[0]
            found = assigned(tree, code.id) if isinstance(code, ast.Name) else strings(code)
            named = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
            is_given = isinstance(code, ast.Name) and code.id in named  # by one of these calls
            assert found or is_given, f"{path.name}:{node.lineno}: which code is this?"
            yield from found


def actions_of(path):
    """Yield the actions that a module writes into the log."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "log.write":
            (action,) = (each.value for each in node.keywords if each.arg == "action")
            if isinstance(action, ast.Constant):
                yield action.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_told":
            yield from (each.value for each in node.args if isinstance(each, ast.Constant))


def test_everything_that_a_format_says_has_words():
    said = {code for path in (ARENA / "domain/formats").glob("*.py") for code in codes_of(path)}

    assert {"swiss_bye", "bracket_level", "too_few_entrants", "group_round"} < said
    assert said - set(log.WORDS) == set()


def test_everything_that_is_written_has_words():
    folder = ARENA / "domain/tournaments"
    written = {action for path in folder.rglob("*.py") for action in actions_of(path)}

    assert {"frozen", "round_drawn", "entered"} < written
    assert written - set(phrases.BY_ACTION) == set()


def test_no_code_has_two_kinds_of_words():
    done = {each.log_action: each.say_entry for each in REGISTRY.values()}
    kinds = [reasons.NOTES, reasons.ROUNDS, reasons.UNPLAYABLE, phrases.BY_ACTION, done]

    assert len(log.WORDS) == sum(map(len, kinds))


@pytest.mark.parametrize("code", sorted(log.WORDS))
def test_words_are_there_whatever_the_details_lack(code):
    said = log.words(code=code, details={"release": "hidden"})

    assert said
    assert not PLACEHOLDER.search(said)


@pytest.mark.parametrize(
    ("code", "details", "said"),
    [
        ("extra_matches", {"entrants": [1, 2], "count": 1, "matches": 2}, "ann, bob are level"),
        ("swiss_bye", {"entrant": 1, "had": []}, "ann has the bye: it stands lowest"),
        ("swiss_bye", {"entrant": 1, "had": [2]}, "in an earlier round: bob."),
        ("bracket_reset", {"entrant": 1, "by": 2}, "ann lost to bob, and for the first time"),
        ("group_draw", {"groups": [[1], [2]]}, "A: ann; B: bob."),
        ("too_few_entrants", {"least": 4, "entrants": 3}, "at least 4 entrants and has 3"),
        ("bracket_round", {"left": 16, "third_place": 0}, "Round of 16"),
        ("bracket_round", {"left": 4, "third_place": 0}, "Semi-finals"),
        ("bracket_round", {"left": 2, "third_place": 1}, "Final and match for third place"),
        ("double_round", {"upper": 0, "lower": 2}, "Lower bracket, round 2"),
        ("entered", {"entrant": 1, "from_round": 3}, "plays from round 3 on"),
        ("awarded", {"pairing": 2, "to": None}, "to all in equal shares"),
        ("version_chosen", {"entrant": 2, "version": None}, "the version that is active"),
        ("swiss_steps", {"pairings": 1, "widest": 1}, "The widest step in points: 1."),
        ("swiss_steps", {"pairings": 2, "widest": 1.5}, "The widest step in points: 1½."),
        ("qualified", {"group": 2, "entrants": [1]}, "Through from group B: ann."),
        ("passed_over", {"group": 27, "entrant": 1}, "ann of group 27 has left"),
        ("round_drawn", {"number": 3, "pairings": 1, "decided": 0}, "drawn: 1 pairing is played."),
        (
            "round_drawn",
            {"number": 3, "pairings": 4, "decided": 1},
            "drawn: 4 pairings are played. 1 more is a bye or a walkover.",
        ),
        ("round_drawn", {"number": 1, "pairings": 2, "decided": 3}, "3 more are byes"),
        ("bracket_level", {"extra": 1}, "after 1 extra match. "),
        ("bracket_level", {"extra": 2}, "after 2 extra matches. "),
        ("swiss_too_many_rounds", {"most": 1}, "at most 1 round for certain"),
        ("swiss_too_many_rounds", {"most": 3}, "at most 3 rounds for certain"),
        ("took_list", {"entrants": [1], "changed": []}, "Entered from a list: ann."),
        ("took_list", {"entrants": [], "changed": [2]}, "Changed by a list: bob."),
        ("cancelled", {"matches": 0}, "Cancelled."),
        ("cancelled", {"matches": 2}, "Matches that were ended: 2."),
        ("left", {"entrant": 9}, "somebody who was deleted left"),
    ],
)
def test_details_are_said_in_words(code, details, said):
    assert said in log.words(code=code, details=details, names={1: "ann", 2: "bob"})


@pytest.mark.django_db
class TestEntries:
    """Entries of one tournament."""

    def entry(self, cup, **columns):
        return log.write(tournament=cup, **{"action": "opened", **columns})

    def test_an_entry_keeps_the_revision_and_is_never_changed(self):
        cup = rows.make_tournament(2, revision=7)
        entry = self.entry(cup, by=cup.created_by, reason="it is time")

        assert (entry.revision, entry.by, entry.reason) == (7, cup.created_by, "it is time")
        with pytest.raises(AppendOnly):
            entry.save()

    def test_an_action_without_words_is_not_written(self):
        with pytest.raises(KeyError):
            self.entry(rows.make_tournament(0), action="danced")

    def test_what_tells_of_a_hidden_round_is_for_those_who_see_the_round(self):
        cup = rows.make_tournament(2)
        for number, release in enumerate((Release.PUBLIC, Release.ENTRANTS, Release.HIDDEN), 1):
            TournamentRound.objects.create(tournament=cup, number=number, release=release)
            self.entry(cup, action="round_finished", round_number=number, number=number)
        self.entry(cup, action="paused")
        owner = cup.entrants.get(seed=1).bot.owner
        viewers = [AnonymousUser(), factories.make_user(), owner, cup.created_by]

        seen = [
            [entry.round_number for entry in log.of(tournament=cup, viewer=viewer)]
            for viewer in viewers
        ]

        assert seen == [[1, None], [1, None], [1, 2, None], [1, 2, 3, None]]

    def test_what_is_told_at_the_freeze_alone_is_between_owners_and_organizers_until_then(self):
        cup = making.make_open()
        entrant, other = making.enter(cup), making.enter(cup)
        owner = entrant.bot.owner
        version = entrant.bot.active_version
        entries.choose_version(tournament=cup, bot=entrant.bot, by=owner, version=version)
        entries.leave(tournament=cup, bot=entrant.bot, by=owner, reason="a better one comes")

        def told(viewer):
            rows = log.of(tournament=cup, viewer=viewer)
            return [row.action for row in rows if row.action not in ("created", "opened")]

        known = ["entered", "entered"]
        assert told(None) == told(AnonymousUser()) == told(other.bot.owner) == known
        assert told(owner) == told(cup.created_by) == [*known, "version_chosen", "left"]

    def test_names_of_all_entries_cost_no_query_each(self, django_assert_num_queries):
        cup = rows.make_tournament(2)
        for entrant in cup.entrants.all():
            self.entry(cup, action="entered", entrant=entrant.pk)
        entries = log.of(tournament=cup, viewer=None)

        with django_assert_num_queries(0):
            said = [log.say(entry) for entry in entries]

        names = [entrant.bot.name for entrant in cup.entrants.order_by("pk")]
        assert said == [f"{name} was entered." for name in names]

    def test_a_note_of_a_format_may_have_details_of_any_name(self):
        cup = rows.make_tournament(2)
        first, second = cup.entrants.order_by("pk")
        note = DecisionNote("bracket_reset", {"entrant": first.pk, "by": second.pk})

        entry = log.note(tournament=cup, note=note, round_number=None)

        with override("en"):
            assert log.say(entry).startswith(f"{first.bot.name} lost to {second.bot.name}")
