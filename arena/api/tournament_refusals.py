"""Which refusals of tournaments say that the state of things is against it, and what to do then."""

from collections.abc import Mapping

CONFLICTS = frozenset(
    {
        "already_entered",
        "already_invited",
        "bot_paused",
        "bracket_goes_on",
        "drawn_from",
        "entries_closed",
        "frozen_already",
        "has_left",
        "is_organizer",
        "last_organizer",
        "match_open",
        "match_rerun",
        "no_version",
        "nobody_to_take",
        "not_in",
        "not_invited",
        "nothing_changes",
        "pairing_award",
        "pairing_bye",
        "pairing_void",
        "pairing_walkover",
        "registration_closed",
        "rehearsal_hidden",
        "rehearsal_of_rehearsal",
        "rehearsal_running",
        "release_order",
        "rounds_follow",
        "terms_fixed",
        "too_few_entrants",
        "too_many_games",
        "too_many_of_owner",
        "too_many_organizers",
        "too_many_tournaments",
        "tournament_full",
        "tournament_over",
        "version_paused",
        "versions_frozen",
        "wrong_status",
    }
)
NOT_YOURS = frozenset({"not_an_organizer", "not_your_bot"})
HINTS: Mapping[str, str] = {
    "no_such_match": "GET /api/v1/tournaments/<slug>/rounds has the ids of matches and pairings.",
    "no_such_pairing": "GET /api/v1/tournaments/<slug>/rounds has the ids of pairings.",
    "not_an_organizer": "Ask one of the organizers: GET /api/v1/tournaments/<slug> names them.",
    "not_your_bot": "Sign in as its owner.",
    "terms_fixed": "POST /api/v1/tournaments/<slug>/acts puts single things right.",
    "too_many_tournaments": "GET /api/v1/tournaments?mine=1 lists them.",
    "wrong_status": "GET /api/v1/tournaments/<slug> says where it stands.",
}
