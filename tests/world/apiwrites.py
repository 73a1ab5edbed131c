"""Requests to the API that change something, each as somebody who may."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from arena.domain.bots import person_games
from arena.domain.matches import lifecycle
from arena.models import (
    ApiToken,
    Bot,
    Match,
    Pairing,
    Tournament,
    User,
    VersionTrial,
    Webhook,
)
from tests import factories
from tests.world import addresses


@dataclass(frozen=True)
class Question:
    """What is asked, and by whom. `body` is sent as JSON, or as a form if it has a file."""

    who: str
    method: str
    address: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


Said = tuple[str, str, str, dict[str, Any]]  # who, how, where, what
FORMATS: dict[str, dict[str, int]] = {
    "round_robin": {},
    "double_round_robin": {},
    "swiss": {"rounds": 3},
    "single_elimination": {"third_place": 1},
    "double_elimination": {"reset": 0},
    "gauntlet": {"challengers": 2},
    "groups_playoff": {"groups": 2, "qualifiers": 1},
}
CUP = {"name": "New Cup", "ladder": "classic", "format": "round_robin"}
ALPHA = "bots/owner/alpha"
ENTRANTS = "tournaments/cup-open/entrants"
ANSWER = "tournaments/cup-invited/entrants/owner/alpha/answer"
SIGN_IN = {"username": "owner", "password": "correct horse"}
CHALLENGE = {"bot": "owner/alpha", "opponents": ["other/beta"], "ladder": "general"}
SEAT = {"bot": "other/beta", "ladder": "general", "side": "red"}
WRITES: tuple[Said, ...] = (
    ("anonymous", "POST", "users", {"username": "newcomer", "password": "correct horse"}),
    ("anonymous", "POST", "tokens", SIGN_IN),
    ("anonymous", "POST", "tokens", {**SIGN_IN, "scopes": ["read"], "name": "r"}),
    ("owner", "POST", "bots", {"name": "New Bot", "description": "Fresh."}),
    ("owner", "PATCH", ALPHA, {"accepts_challenges": False}),
    ("owner", "PATCH", ALPHA, {"name": "Another", "description": "Sly."}),
    ("owner", "POST", f"{ALPHA}/pause", {}),
    ("owner", "POST", f"{ALPHA}/retire", {}),
    ("other", "DELETE", "bots/other/empty", {}),
    ("other", "POST", "bots/other/beta/retire", {}),
    ("owner", "POST", "bots/owner/paused/resume", {}),
    ("owner", "POST", "bots/owner/crashy/versions/1/resume", {}),
    ("owner", "POST", f"{ALPHA}/versions/4/activate", {}),
    ("owner", "POST", f"{ALPHA}/versions/4/retire", {}),
    ("owner", "POST", f"{ALPHA}/versions/3/trials", {"against": 4, "ladder": "general"}),
    ("owner", "POST", f"{ALPHA}/versions/4/trials", {"ladder": "general", "activate": True}),
    ("owner", "POST", "challenges", CHALLENGE),
    ("owner", "POST", "challenges", {**CHALLENGE, "version": 4}),
    ("other", "POST", ENTRANTS, {"bot": "other/beta"}),
    ("other", "POST", f"{ENTRANTS}?dry_run=1", {"bot": "other/delta", "version": 1}),
    ("organizer", "POST", ENTRANTS, {"bot": "other/delta", "invite": True}),
    ("other", "POST", "tournaments/cup-hidden/entrants", {"bot": "other/compiled"}),
    ("owner", "PATCH", f"{ENTRANTS}/owner/alpha", {"version": 4}),
    ("owner", "PATCH", f"{ENTRANTS}/owner/alpha", {"version": None}),
    ("owner", "DELETE", f"{ENTRANTS}/owner/alpha", {}),
    ("organizer", "DELETE", f"{ENTRANTS}/owner/alpha?dry_run=1", {}),
    ("owner", "DELETE", "tournaments/cup-running/entrants/owner/alpha", {}),
    ("owner", "POST", ANSWER, {"accept": True}),
    ("owner", "POST", ANSWER, {"accept": False}),
    ("organizer", "POST", "tournaments/cup-open/take-top", {"top_n": 3}),
    ("organizer", "POST", "tournaments/cup-open/take-list", {"text": "bot,seed\nother/delta,1\n"}),
    ("organizer", "POST", "tournaments/cup-open/organizers", {"username": "owner"}),
    ("staff", "POST", "tournaments/cup-running/pause", {"reason": "Why."}),
)


def ask(asker):
    """Send all of it. `asker` has the text of the last answer."""
    _seats(asker)
    for said in WRITES:
        _ask(asker, *said)
    _owned(asker)
    _webhooks(asker)
    _drafts(asker)
    _stages(asker)
    _acts(asker)
    _corrections(asker)


def _ask(asker, who, method, path, body, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asker.ask(Question(who, method, f"/api/v1/{path}", body, named))


def _owned(asker):
    """Cancel, revoke and upload what has a row of its own."""
    token = ApiToken.objects.filter(user__username="owner").order_by("created")[0]
    _ask(asker, "owner", "DELETE", f"tokens/{token.public_id}", {})
    for match in Match.objects.filter(kind="challenge").order_by("pk"):
        _ask(asker, "owner", "DELETE", f"challenges/{match.public_id}", {})
    for trial in VersionTrial.objects.order_by("pk"):
        _ask(asker, "owner", "POST", f"trials/{trial.public_id}/cancel", {})
    file = BytesIO(b"print()\n")
    file.name = "bot.py"
    _ask(asker, "owner", "POST", f"{ALPHA}/versions", {"file": file, "variants": "general"})
    _ask(asker, "owner", "POST", "challenges", CHALLENGE, Idempotency_Key="k1")


def _seats(asker):
    """Play with a program at home, which resigns when a runner asks it."""
    _ask(asker, "owner", "POST", "seats", SEAT)
    owner, beta = User.objects.get(username="owner"), Bot.objects.get(slug="beta")
    seat = factories.seat_from_home(user=owner, bot=beta, ladder="general")
    own = f"seats/{seat.match.public_id}"
    lifecycle.claim(match_pk=seat.match_id)
    start = {"variant": "general@1", "seat": "red", "rng_seed": 1}
    message = {"type": "act", "ply": 0, "phase": "play", "view": {}, "legal": ["a1a2"]}
    number = person_games.put(seat=seat, start=start, before=None, message=message, left_s=600)
    _ask(asker, "owner", "POST", f"{own}/answers", {"number": number, "action": "resign"})
    _ask(asker, "owner", "DELETE", own, {})
    _ask(asker, "owner", "POST", "bots", {"name": "Far", "slug": "far"})
    _ask(asker, "owner", "POST", "bots/owner/far/versions/remote", {"variants": ["general"]})


def _webhooks(asker):
    """Change a webhook, rotate its secret, test it, send a delivery again, and delete it."""
    hook = Webhook.objects.get(user__username="owner")
    own = f"webhooks/{hook.public_id}"
    new = {"receiver": "https://example.org/", "events": ["bot.paused"]}
    _ask(asker, "owner", "POST", "webhooks", new)
    _ask(asker, "owner", "PATCH", own, {"is_on": False})
    again = f"{own}/deliveries/{hook.deliveries.get().public_id}/again"
    for path in (f"{own}/rotate", f"{own}/test", again):
        _ask(asker, "owner", "POST", path, {})
    _ask(asker, "owner", "DELETE", own, {})


def _drafts(asker):
    """Make tournaments, preview every format, change one as it was seen."""
    _ask(asker, "owner", "POST", "tournaments?dry_run=1", CUP)
    for name, options in FORMATS.items():
        body = {**CUP, "format": name, "format_options": options, "min_entrants": 6}
        _ask(asker, "owner", "POST", "tournaments", body)
        _ask(asker, "owner", "POST", "tournament-preview", {**body, "entrants": 9})
    for cup in Tournament.objects.order_by("pk"):
        path, tag = f"tournaments/{cup.slug}", f'"{cup.revision}"'
        _ask(asker, "organizer", "PATCH", path, {"description": "Other words."}, If_Match=tag)


def _stages(asker):
    """Take every step of every tournament, and show or hide rounds."""
    for cup in Tournament.objects.order_by("pk"):
        for stage in addresses.STAGES:
            path = f"tournaments/{cup.slug}/{stage}"
            body = {} if stage == "rehearse" else {"reason": "A reason."}
            _ask(asker, "organizer", "POST", f"{path}?dry_run=1", body)
        _ask(asker, "organizer", "DELETE", f"tournaments/{cup.slug}", {})
    for slug in ("cup-hidden", "cup-paused", "cup-groups"):
        for release in ("public", "entrants", "hidden"):
            path = f"tournaments/{slug}/rounds/1/release"
            _ask(asker, "organizer", "POST", path, {"release": release})


def _acts(asker):
    """Try every act, and do it as it was seen."""
    for slug in ("cup-hidden", "cup-running", "cup-paused", "cup-completed", "cup-frozen"):
        cup = Tournament.objects.get(slug=slug)
        for act in acts_of(cup):
            body = {"reason": "A reason.", **act}
            path = f"tournaments/{slug}/acts"
            _ask(asker, "organizer", "POST", f"{path}?dry_run=1", body)
            _ask(asker, "organizer", "POST", path, body, If_Match=f'"{cup.revision}"')


def acts_of(cup):
    """Return an act of every kind, with what it is done to."""
    pairing = Pairing.objects.filter(round__tournament=cup).order_by("pk").last()
    matches = Match.objects.filter(pairing__round__tournament=cup).order_by("pk")
    some = [match.public_id for match in (matches.first(), matches.last()) if match]
    row, bot = pairing.public_id if pairing else "p_none", "owner/alpha"
    return [
        *({"act": act, "match": match} for act in ("void", "rerun") for match in some),
        {"act": "award", "pairing": row, "entrant": None},
        *({"act": "substitute", "entrant": bot, "version": number} for number in (3, 4)),
        *({"act": act, "entrant": bot} for act in ("withdraw", "disqualify")),
        {"act": "add_rounds", "count": 1},
        {"act": "add_matches", "pairing": row, "count": 1},
        {"act": "postpone", "starts_at": "2026-04-01T12:00:00Z"},
    ]


def _corrections(asker):
    """Let staff annul matches and end a season: tried, and done as seen."""
    match = Match.objects.filter(kind="ladder", status="finished").latest("pk")
    for path, body in (
        ("staff/annulments", {"match": match.public_id}),
        ("staff/annulments", {"ladder": "classic", "bot": "other/beta"}),
        ("staff/ladders/classic/season-end", {}),
    ):
        _ask(asker, "staff", "POST", f"{path}?dry_run=1", body)
        shown = json.loads(asker.last).get("shown") or {"digest": "none", "until": 1}
        sent = {**body, "reason": "A reason.", "digest": shown["digest"]}
        sent |= {"until": shown["until"]} if "bot" in body else {}
        _ask(asker, "staff", "POST", path, sent)
