"""The public log: everything that may be in it has words, and everybody sees what they may."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import override

from arena.domain.formats.catalogue import FORMATS
from arena.domain.formats.types import DecisionNote
from arena.domain.tournaments import log, wording
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.base import REGISTRY
from arena.models import AppendOnly, Release, TournamentRound
from arena.texts import tournaments as texts
from tests import factories
from tests.integration.tournaments import making, rows

ARENA = Path(log.__file__).resolve().parents[2]
# Their first argument is a code.
MADE_OF = ("DecisionNote", "RoundOutline", "Unplayable", "scheduled.outline", "outline")
PLACEHOLDER = re.compile(r"%\((\w+)\)")
SAID: list[tuple[str, dict[str, Any], str]] = [
    ("frozen", {"entrants": [], "commitment": "5f0c"}, "The commitment to it is 5f0c."),
    ("released", {"secret": "5f0c"}, "The secret from which all chance follows is 5f0c."),
    ("swiss_bye", {"entrant": 1, "had": []}, "ann has the bye: it ranks lowest"),
    ("swiss_bye", {"entrant": 1, "had": [2]}, "already had a round without a game: bob."),
    ("swiss_bye", {"entrant": 1, "had": [], "passed": [2]}, "could be played: bob."),
    ("group_draw", {"groups": [[1], [2]]}, "A: ann; B: bob."),
    ("bracket_needs_pairs", {"entrants": 4, "playable": [3, 9, 27]}, "needs 3, 9, or 27 entrants"),
    ("bracket_needs_pairs", {"entrants": 4, "playable": []}, "This format needs matches of two."),
    ("bracket_round", {"left": 16, "third_place": 0}, "Round of 16"),
    ("bracket_round", {"left": 8, "third_place": 0}, "Quarter-finals"),
    ("bracket_round", {"left": 4, "third_place": 0}, "Semi-finals"),
    ("bracket_round", {"left": 3, "third_place": 0, "is_final": True}, "Final"),
    ("bracket_round", {"left": 2, "third_place": 1}, "Final and match for third place"),
    ("double_round", {"upper": 0, "lower": 2}, "Lower bracket, round 2"),
    ("double_round", {"upper": 1, "lower": 0}, "Upper bracket, round 1"),
    ("double_round", {"upper": 2, "lower": 1}, "Upper bracket, round 2, and lower bracket"),
    ("entered", {"entrant": 1}, "ann was entered."),
    ("entered", {"entrant": 1, "from_round": 3}, "plays from round 3 on"),
    ("withdrew", {"entrant": 1, "until_round": 0}, "before the first round"),
    ("withdrew", {"entrant": 1, "until_round": 2}, "after round 2. Its results stand."),
    ("awarded", {"pairing": 2, "to": None}, "to all in equal shares"),
    ("awarded", {"pairing": 2, "to": 1, "was_settled": True}, "ann. The decision about who"),
    ("times_changed", {"starts_at": "soon"}, "The tournament starts at soon."),
    ("version_chosen", {"entrant": 2, "version": None}, "the version that is active"),
    ("version_chosen", {"entrant": 2, "version": 3}, "Version 3 of bob was chosen."),
    ("release_set", {"release": "hidden"}, "Only the organizers"),
    ("release_set", {"release": "entrants"}, "to the owners of entrants"),
    ("release_set", {"release": "public"}, "to everybody"),
    ("cannot_play", {"pairing": 4, "entrants": [1], "to": 2}, "4 is a walkover for bob"),
    ("cannot_play", {"pairing": 4, "entrants": [1, 2], "to": None}, "versions of ann and bob"),
    ("swiss_steps", {"pairings": 0}, "with equal points"),
    ("swiss_steps", {"pairings": 2, "widest": 1.5}, "The largest difference in points: 1½."),
    ("qualified", {"group": 2, "entrants": [1]}, "Qualified from group B: ann."),
    ("passed_over", {"group": 27, "entrant": 1}, "ann of group 27 has left"),
    (
        "round_drawn",
        {"number": 3, "pairings": 4, "decided": 1},
        "drawn: 4 pairings are played. 1 more is a bye or a walkover.",
    ),
    ("bracket_walkover", {"left": [1, 2], "entrant": 3, "is_final": 1}, "ann and bob left, so"),
    ("bracket_walkover", {"left": [2], "entrant": 1, "is_final": 0}, "ann advances without"),
    (
        "bracket_level",
        {"extra": 1, "entrants": [1, 2]},
        "ann and bob are level after 1 extra match.",
    ),
    ("bracket_level", {"extra": 0, "entrants": [1, 2]}, "ann and bob are level. "),
    ("bracket_void", {"entrant": 1, "left": [2], "others": 1}, "bob left, and it has the highest"),
    ("swiss_too_many_rounds", {"most": 3}, "without a second meeting is 3"),
    ("took_list", {"entrants": [1], "changed": []}, "A list entered these bots: ann."),
    ("took_list", {"entrants": [], "changed": [2]}, "A list changed these entrants: bob."),
    ("took_list", {"entrants": [], "changed": []}, "A list changed nothing."),
    ("cancelled", {"matches": 0}, "The tournament was cancelled."),
    ("cancelled", {"matches": 2}, "2 open matches with it."),
    ("left", {"entrant": 9}, "a deleted bot left"),
]


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


def codes(*kinds):
    return {slug.partition(":")[0] for kind in kinds for slug in kind}


def test_everything_that_a_format_says_has_words():
    said = {code for path in (ARENA / "domain/formats").glob("*.py") for code in codes_of(path)}

    assert {"swiss_bye", "bracket_level", "too_few_entrants", "group_round"} < said
    assert said - codes(wording.TEXTS) == set()


def test_no_code_has_two_kinds_of_words():
    done = {each.log_action for each in REGISTRY.values()}
    kinds = [texts.NOTES, texts.ROUNDS, texts.UNPLAYABLE, texts.ACTIONS]
    kinds += [each.texts for each in FORMATS.values()]

    assert len(log.WORDS) == len(done) + sum(len(codes(kind)) for kind in kinds)


def test_every_case_of_code_is_chosen_by_details():
    own = [(code, details) for code, details, _said in SAID if code in codes(wording.TEXTS)]
    chosen = {id(text) for code, details in own for text in wording.texts_of(code, details)}
    cases = {slug: text for slug, text in wording.TEXTS.items() if ":" in slug}

    assert {slug for slug, text in cases.items() if id(text) not in chosen} == set()


@pytest.mark.parametrize("code", sorted(log.WORDS))
def test_words_are_there_whatever_the_details_lack(code):
    said = log.words(code=code, details={"release": "hidden"})

    assert said
    assert not PLACEHOLDER.search(said)


@pytest.mark.parametrize(("code", "details", "said"), SAID)
def test_details_are_said_in_words(code, details, said):
    assert said in log.words(code=code, details=details, names={1: "ann", 2: "bob"})


@pytest.mark.django_db
class TestEntries:
    """Entries of one tournament."""

    def entry(self, cup, **columns):
        return log.write(tournament=cup, **{"action": "opened", **columns})

    def test_entry_keeps_revision_and_is_never_changed(self):
        cup = rows.make_tournament(2, revision=7)
        entry = self.entry(cup, by=cup.created_by, reason="it is time")

        assert (entry.revision, entry.by, entry.reason) == (7, cup.created_by, "it is time")
        with pytest.raises(AppendOnly):
            entry.save()

    def test_an_action_without_words_is_not_written(self):
        with pytest.raises(KeyError):
            self.entry(rows.make_tournament(0), action="danced")

    def test_hidden_round_entries_are_for_its_viewers(self):
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

    def test_entries_before_freeze_are_for_owners_and_organizers(self):
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

    def test_format_note_may_have_details_of_any_name(self):
        cup = rows.make_tournament(2)
        first, second = cup.entrants.order_by("pk")
        note = DecisionNote("bracket_reset", {"entrant": first.pk, "by": second.pk})

        entry = log.note(tournament=cup, note=note, round_number=None)

        with override("en"):
            assert log.say(entry).startswith(f"{first.bot.name} lost to {second.bot.name}")
