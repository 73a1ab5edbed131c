"""The texts of a code with its details: a log action, a note, an outline or a refusal.

The log and all pages write points and groups with `halves` and `group_letter`.

In the details, entrants are already names, and lists are texts. An empty list is an empty text.
"""

from collections.abc import Callable, Mapping
from string import ascii_uppercase

from django.utils.translation import gettext_lazy

from arena.domain.formats import catalogue
from arena.texts import Text
from arena.texts import tournaments as texts

Details = Mapping[str, str | int]

TEXTS: texts.Texts = {
    **texts.ACTIONS,
    **texts.NOTES,
    **texts.ROUNDS,
    **texts.UNPLAYABLE,
    **{
        code: gettext_lazy(text)
        for kind in catalogue.FORMATS.values()
        for code, text in kind.texts.items()
    },
}
PLAY_OFF = "P"  # the first letter of slots of a play-off
SEMI_FINALS, QUARTER_FINALS = 4, 8  # entrants still in the bracket


def texts_of(code: str, details: Details) -> list[Text]:
    """Return the texts of a code that apply to its details. Each is one sentence or more."""
    cases = _CASES[code](details) if code in _CASES else ()
    applying = [TEXTS[f"{code}:{case}"] for case in cases] or [TEXTS[code]]
    is_open_ended = code in ("bracket_level", "bracket_void", "bracket_award_shared")
    return [*applying, *_consequence(details)] if is_open_ended else applying


def meeting_name(details: Details) -> str:
    """Return the name of a pairing of a bracket, from its part and its column."""
    return str(texts.MEETINGS[_meeting(details)] % details)


def round_title(details: Details) -> str:
    """Return the name of a column of a bracket, from its part and its number."""
    meeting = _meeting(details)
    return str(texts.COLUMNS.get(meeting, texts.MEETINGS[meeting]) % details)


def halves(value: float) -> str:
    """Return points as text: 2, 1½ or ½."""
    whole, half = divmod(round(value * 2), 2)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"


def group_letter(number: int) -> str:
    """Return the letter of a group, or its number beyond the alphabet."""
    return ascii_uppercase[number - 1] if number <= len(ascii_uppercase) else str(number)


def _meeting(details: Details) -> str:
    part, is_last = details.get("part"), details.get("to_go") == 0
    if part == "third_place":
        return "third_place"
    if part == "final":
        return "grand_final" if details.get("column") == 1 else "second_final"
    if part == "lower":
        return "lower_final" if is_last else "lower_round"
    if details.get("is_double"):
        return "upper_final" if is_last else "upper_round"
    names = {SEMI_FINALS: "semi_final", QUARTER_FINALS: "quarter_final"}
    return "final" if is_last else names.get(int(details.get("places", 0)), "round")


def _consequence(details: Details) -> list[Text]:
    """Return texts about the outcome of a pairing that its games do not decide, with the reason."""
    outcome = "wins" if details.get("is_final") else "advances"
    if details.get("part") == "third_place":
        outcome = "third"
    reason = "left_and_seed" if details.get("others") else "left"
    if not details.get("left"):
        is_play_off = str(details.get("slot", "")).startswith(PLAY_OFF)
        reason = "play_off_seed" if is_play_off else "seed"
    return [texts.OUTCOMES[outcome], texts.OUTCOME_REASONS[reason]]


def _bracket_round(details: Details) -> list[str]:
    if details.get("third_place"):
        return ["final_and_third_place"]
    if details.get("is_final"):
        return ["final"]
    names = {2: "final", SEMI_FINALS: "semi_finals", QUARTER_FINALS: "quarter_finals"}
    return [names.get(int(details.get("left", 0)), "round")]


def _double_round(details: Details) -> list[str]:
    if not details.get("lower"):
        return ["upper"]
    return ["both"] if details.get("upper") else ["lower"]


def _either(detail: str, present: str, missing: str) -> Callable[[Details], list[str]]:
    """Return a function that returns `missing` if the detail is 0 or empty, else `there`."""
    return lambda details: [present if details.get(detail) else missing]


_CASES: Mapping[str, Callable[[Details], list[str]]] = {
    "frozen": lambda details: ["pinned", "committed"] if details.get("commitment") else ["pinned"],
    "released": lambda details: ["all", "secret"] if details.get("secret") else ["all"],
    "entered": lambda details: ["late" if details.get("from_round", 1) != 1 else "in_time"],
    "withdrew": _either("until_round", "later", "before_round_1"),
    "version_chosen": _either("version", "one", "active"),
    "took_list": lambda details: (
        [case for case in ("entrants", "changed") if details.get(case)] or ["nothing"]
    ),
    "cancelled": _either("matches", "with_matches", "alone"),
    "release_set": lambda details: [str(details["release"])],
    "cannot_play": _either("to", "walkover", "void"),
    "round_drawn": lambda details: (
        ["pairings", "decided"] if details.get("decided") else ["pairings"]
    ),
    "bracket_level": _either("extra", "extra", "at_once"),
    "bracket_walkover": _either("is_final", "final", "earlier"),
    "swiss_bye": lambda details: [
        "passed" if details.get("passed") else "bye",
        *(["had"] if details.get("had") else []),
    ],
    "swiss_steps": _either("pairings", "some", "none"),
    "bracket_round": _bracket_round,
    "double_round": _double_round,
    "bracket_needs_pairs": _either("playable", "some", "never"),
}
