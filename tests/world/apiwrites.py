"""Requests to the API that change something, or are refused for what they say."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from arena.models import ApiToken, Match, Pairing, Tournament, VersionTrial, Webhook
from tests.world import addresses


@dataclass(frozen=True)
class Question:
    """What is asked, and by whom: `owner's token`, or `owner's token for read` with one scope.

    `body` is sent as JSON, as a form if it has a file, and as it is if it is bytes. `note` tells
    questions apart.
    """

    who: str
    method: str
    address: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


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

ACCOUNTS = (
    ("anonymous", "POST", "users", {"username": "newcomer", "password": "correct horse"}),
    ("anonymous", "POST", "users", {"username": "Owner", "password": "correct horse"}),
    ("anonymous", "POST", "users", {"username": "a b", "password": "1234", "email": "no"}),
    ("anonymous", "POST", "users", {"username": "admin", "password": "correct horse"}),
    ("anonymous", "POST", "tokens", {"username": "owner", "password": "correct horse"}),
    ("anonymous", "POST", "tokens", {"username": "owner", "password": "wrong"}),
    (
        "anonymous",
        "POST",
        "tokens",
        {"username": "owner", "password": "correct horse", "scopes": ["read"], "name": "r"},
    ),
    (
        "anonymous",
        "POST",
        "tokens",
        {"username": "owner", "password": "correct horse", "scopes": ["fly"]},
    ),
)
BOTS: tuple[Said, ...] = (
    ("owner", "POST", "bots", {"name": "New Bot", "description": "Fresh."}),
    ("owner", "POST", "bots", {"name": "Alpha", "slug": "alpha"}),
    ("owner", "POST", "bots", {"name": "x", "slug": "not a slug"}),
    ("owner", "POST", "bots", {"name": "x" * 61}),
    ("owner's token for read", "POST", "bots", {"name": "New Bot"}),
    ("owner's token for bots:write", "POST", "bots", {"name": "New Bot"}),
    ("owner", "PATCH", ALPHA, {"accepts_challenges": False}),
    ("owner", "PATCH", ALPHA, {"tries_versions_first": False}),
    ("owner", "PATCH", ALPHA, {"accepts_challenges": "perhaps"}),
    ("other", "PATCH", ALPHA, {"accepts_challenges": False}),
    ("owner", "PATCH", ALPHA, {"name": "Another", "description": "Sly."}),
    ("owner", "POST", f"{ALPHA}/pause", {}),
    ("owner", "POST", f"{ALPHA}/retire", {}),
    ("owner", "DELETE", ALPHA, {}),
    ("other", "DELETE", "bots/other/empty", {}),
    ("other", "POST", "bots/other/beta/retire", {}),
    ("owner", "POST", "bots/owner/paused/resume", {}),
    ("owner", "POST", "bots/owner/crashy/versions/1/resume", {}),
    ("owner", "POST", f"{ALPHA}/versions/4/activate", {}),
    ("owner", "POST", f"{ALPHA}/versions/2/activate", {}),
    ("owner", "POST", f"{ALPHA}/versions/4/retire", {}),
    ("other", "POST", "bots/other/beta/versions/1/retire", {}),
    ("owner", "POST", f"{ALPHA}/versions/3/trials", {"against": 4, "ladder": "general"}),
    ("owner", "POST", f"{ALPHA}/versions/4/trials", {"ladder": "general", "activate": True}),
    ("owner", "POST", f"{ALPHA}/versions/4/trials", {"against": 9}),
    ("owner", "POST", f"{ALPHA}/versions/4/trials", {"against": 4}),
    ("owner", "POST", f"{ALPHA}/versions/4/trials", {"ladder": "siege"}),
    ("other", "POST", f"{ALPHA}/versions/4/trials", {}),
)
WEBHOOK = {"receiver": "https://example.org/", "events": ["bot.paused"]}
CHALLENGE = {"bot": "owner/alpha", "opponents": ["other/beta"], "ladder": "general"}
CHALLENGES = (
    ("owner", CHALLENGE),
    ("owner", {**CHALLENGE, "version": 4}),
    ("owner", {**CHALLENGE, "version": 1}),
    ("owner", {**CHALLENGE, "ladder": "nowhere"}),
    ("owner", {**CHALLENGE, "ladder": "siege"}),
    ("owner", {**CHALLENGE, "opponents": ["other/quiet"]}),
    ("owner", {**CHALLENGE, "opponents": ["other/empty"]}),
    ("owner", {**CHALLENGE, "opponents": ["owner/alpha"]}),
    ("owner", {**CHALLENGE, "opponents": ["nobody/none"]}),
    ("owner", {**CHALLENGE, "opponents": "beta"}),
    ("owner", {**CHALLENGE, "bot": "owner/paused"}),
    ("other", CHALLENGE),
    ("owner's token for challenges:write", CHALLENGE),
    ("owner's token for read", CHALLENGE),
)
CREATED: tuple[dict[str, Any], ...] = (
    CUP,
    {**CUP, "slug": "cup-open"},
    {**CUP, "name": ""},
    {**CUP, "ladder": "nowhere"},
    {**CUP, "format": "chess"},
    {**CUP, "min_entrants": 9, "max_entrants": 3},
    {**CUP, "chairs": 3},
    {**CUP, "freezes_at": "2026-01-01T00:00:00Z"},
    {**CUP, "entry_policy": "ladder"},
    {**CUP, "tie_breaks": ["buchholz"]},
    {**CUP, "format": "swiss", "format_options": {"rounds": 0}},
)
ENTRANTS = "tournaments/cup-open/entrants"
ENTERED: tuple[Said, ...] = (
    ("other", "POST", ENTRANTS, {"bot": "other/beta"}),
    ("other", "POST", ENTRANTS, {"bot": "other/delta", "version": 1}),
    ("other", "POST", ENTRANTS, {"bot": "other/delta", "version": 9}),
    ("other", "POST", ENTRANTS, {"bot": "owner/alpha"}),
    ("owner", "POST", ENTRANTS, {"bot": "owner/alpha"}),
    ("owner", "POST", ENTRANTS, {"bot": "owner/siege-owner"}),
    ("owner", "POST", ENTRANTS, {"bot": "owner/paused"}),
    ("organizer", "POST", ENTRANTS, {"bot": "other/delta", "invite": True}),
    ("organizer", "POST", ENTRANTS, {"bot": "nobody/none"}),
    ("organizer", "POST", ENTRANTS, {"bot": "other/delta", "chair": 1}),
    ("other", "POST", "tournaments/cup-hidden/entrants", {"bot": "other/compiled"}),
    ("other", "POST", "tournaments/cup-running/entrants", {"bot": "other/delta"}),
    ("owner", "PATCH", f"{ENTRANTS}/owner/alpha", {"version": 4}),
    ("owner", "PATCH", f"{ENTRANTS}/owner/alpha", {"version": None}),
    ("owner", "PATCH", f"{ENTRANTS}/owner/alpha", {"version": 1}),
    ("owner", "DELETE", f"{ENTRANTS}/owner/alpha", {}),
    ("organizer", "DELETE", f"{ENTRANTS}/owner/alpha", {}),
    ("other", "DELETE", f"{ENTRANTS}/owner/alpha", {}),
    ("owner", "DELETE", "tournaments/cup-running/entrants/owner/alpha", {}),
    ("organizer", "DELETE", "tournaments/cup-running/entrants/owner/alpha", {}),
    ("owner", "POST", "tournaments/cup-invited/entrants/owner/alpha/answer", {"accept": True}),
    ("owner", "POST", "tournaments/cup-invited/entrants/owner/alpha/answer", {"accept": False}),
    ("other", "POST", "tournaments/cup-invited/entrants/owner/alpha/answer", {"accept": True}),
)
ROSTERS = (
    ("take-top", {"top_n": 3}),
    ("take-top", {"top_n": 0}),
    ("take-list", {"text": "bot,version,seed\nother/delta,1,1\nann/star-ann,,2\n"}),
    ("take-list", {"text": "bot,version,seed\nother/delta,9,x\nnobody/none,,1\nother/delta,,1\n"}),
    ("take-list", {"text": "chair\n1\n"}),
    ("organizers", {"username": "owner"}),
    ("organizers", {"username": "nobody"}),
    ("organizers", {"username": "organizer"}),
)


def ask(asker):
    """Send all of it. `asker` has the text of the last answer."""
    for who, method, path, body in (*ACCOUNTS, *BOTS):
        _ask(asker, who, method, path, body)
    for who, body in CHALLENGES:
        _ask(asker, who, "POST", "challenges", body)
    _owned(asker)
    _webhooks(asker)
    _odd_bodies(asker)
    _drafts(asker)
    for who, method, path, body in ENTERED:
        for query in ("", "?dry_run=1"):
            _ask(asker, who, method, path + query, body)
    for path, body in ROSTERS:
        _ask(asker, "organizer", "POST", f"tournaments/cup-open/{path}", body)
    _stages(asker)
    _acts(asker)
    _corrections(asker)


def _ask(asker, who, method, path, body, note="", **headers):
    sender = who if "token" in who else f"{who}'s token"
    said = note or json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    question = Question(sender, method, f"/api/v1/{path}", body, named, said)
    asker.ask(question)


def _owned(asker):
    """Cancel, revoke, upload and mark what has a row of its own."""
    token = ApiToken.objects.filter(user__username="owner").order_by("created")[0]
    for who in ("owner", "owner's token for read", "other"):
        _ask(asker, who, "DELETE", f"tokens/{token.public_id}", {})
    for match in Match.objects.filter(kind="challenge").order_by("pk"):
        for who in ("owner", "other", "staff"):
            _ask(asker, who, "DELETE", f"challenges/{match.public_id}", {})
    for trial in VersionTrial.objects.order_by("pk"):
        for who in ("owner", "other"):
            _ask(asker, who, "POST", f"trials/{trial.public_id}/cancel", {})
    for name, data in (("bot.py", b"print()\n"), ("bot.zip", b"no zip"), ("bot.exe", b"?")):
        file = BytesIO(data)
        file.name = name
        path, note = f"{ALPHA}/versions", f"a file {name}"
        _ask(asker, "owner", "POST", path, {"file": file, "variants": "general"}, note)
    _ask(asker, "owner", "POST", "challenges", CHALLENGE, "once", Idempotency_Key="k1")
    _ask(asker, "owner", "POST", "challenges", CHALLENGE, "no key", Idempotency_Key="")


def _webhooks(asker):
    """Change a webhook, rotate its secret, test it, send a delivery again, and delete it."""
    hook = Webhook.objects.get(user__username="owner")
    own = f"webhooks/{hook.public_id}"
    again = f"{own}/deliveries/{hook.deliveries.get().public_id}/again"
    for who in ("owner", "owner's token for read", "other"):
        _ask(asker, who, "POST", "webhooks", WEBHOOK)
        _ask(asker, who, "PATCH", own, {"is_on": False})
        _ask(asker, who, "PATCH", own, {"receiver": "http://10.0.0.1/"})
        for path in (f"{own}/rotate", f"{own}/test", again):
            _ask(asker, who, "POST", path, {})
        _ask(asker, who, "DELETE", own, {})


def _odd_bodies(asker):
    """Send what is no JSON object, too much of it, or says so in another way."""
    odd = {"no JSON": b"{", "a list": b"[]", "a NUL": b'{"name": "a\\u0000"}', "no text": b"\xff"}
    odd["too long"] = b'{"name": "' + b"x" * 200_000 + b'"}'
    for note, body in odd.items():
        for path in ("bots", "tournaments", "challenges"):
            _ask(asker, "owner", "POST", path, body, note)
    form = {"Content_Type": "text/plain"}
    _ask(asker, "owner", "POST", "bots", b"name=x", "plain text", **form)
    _ask(asker, "anonymous", "GET", "me", None, "a bad token", Authorization="Bearer x")
    _ask(asker, "owner", "POST", "bots?dry_run=1", {"name": "New"}, "no dry run")
    _ask(asker, "owner", "POST", "tournaments?dry_run=maybe", CUP, "maybe a dry run")


def _drafts(asker):
    """Make tournaments, preview every format, change one as it was seen."""
    for body in CREATED:
        _ask(asker, "owner", "POST", "tournaments?dry_run=1", body)
        _ask(asker, "owner", "POST", "tournament-preview", {**body, "entrants": 6})
    _ask(asker, "owner", "POST", "tournaments", CUP)
    for name, options in FORMATS.items():
        body = {**CUP, "format": name, "format_options": options, "min_entrants": 6}
        _ask(asker, "owner", "POST", "tournaments", body)
        for entrants in (6, 9):
            preview = {**body, "entrants": entrants}
            _ask(asker, "owner", "POST", "tournament-preview", preview)
    for cup in Tournament.objects.order_by("pk"):
        for body in ({"description": "Other words."}, {"max_entrants": 9}):
            path = f"tournaments/{cup.slug}"
            _ask(asker, "organizer", "PATCH", path, body, If_Match=f'"{cup.revision}"')
    for tag in ('"999"', "*", "none"):
        body = {"name": "Renamed"}
        path, note = "tournaments/cup-open", f"If-Match {tag}"
        _ask(asker, "organizer", "PATCH", path, body, note, If_Match=tag)


def _stages(asker):
    """Take every step of every tournament, and show or hide rounds."""
    for cup in Tournament.objects.order_by("pk"):
        for stage in addresses.STAGES:
            path = f"tournaments/{cup.slug}/{stage}"
            body = {} if stage == "rehearse" else {"reason": "A reason."}
            _ask(asker, "organizer", "POST", f"{path}?dry_run=1", body)
        _ask(asker, "organizer", "DELETE", f"tournaments/{cup.slug}", {})
    for slug in ("cup-hidden", "cup-paused", "cup-groups"):
        for number in (1, 2, 9):
            for release in ("public", "entrants", "hidden", "nobody"):
                path = f"tournaments/{slug}/rounds/{number}/release"
                _ask(asker, "organizer", "POST", path, {"release": release})
    _ask(asker, "organizer", "POST", "tournaments/cup-running/pause", {"reason": ""})
    _ask(asker, "staff", "POST", "tournaments/cup-running/pause", {"reason": "Why."})
    _ask(asker, "user", "POST", "tournaments/cup-running/pause", {"reason": "Why."})


def _acts(asker):
    """Try every act, and do it as it was seen."""
    for slug in ("cup-hidden", "cup-running", "cup-paused", "cup-completed", "cup-frozen"):
        cup = Tournament.objects.get(slug=slug)
        for act in acts_of(cup):
            body = {"reason": "A reason.", **act}
            path = f"tournaments/{slug}/acts"
            _ask(asker, "organizer", "POST", f"{path}?dry_run=1", body)
            tag = {"If_Match": f'"{cup.revision}"'}
            _ask(asker, "organizer", "POST", path, body, **tag)
            _ask(asker, "organizer", "POST", path, {**body, "seen": "?"}, **tag)
        _ask(asker, "owner", "POST", f"tournaments/{slug}/acts?dry_run=1", body)


def acts_of(cup):
    """Return an act of every kind, with what it is done to."""
    pairing = Pairing.objects.filter(round__tournament=cup).order_by("pk").last()
    sides = (
        [str(row.entrant.bot) for row in pairing.entrants.order_by("position")] if pairing else []
    )
    matches = Match.objects.filter(pairing__round__tournament=cup).order_by("pk")
    some = [match.public_id for match in (matches.first(), matches.last()) if match] or ["m_none"]
    row, bot = pairing.public_id if pairing else "p_none", "owner/alpha"
    return [
        *({"act": act, "match": match} for act in ("void", "rerun") for match in some),
        {"act": "award", "pairing": row, "entrant": None},
        *({"act": "award", "pairing": row, "entrant": side} for side in [*sides, "ann/none"]),
        *({"act": "substitute", "entrant": bot, "version": number} for number in (1, 3, 4, 9)),
        *({"act": act, "entrant": bot} for act in ("withdraw", "disqualify")),
        {"act": "withdraw", "entrant": "nobody/none"},
        {"act": "add_rounds", "count": 1},
        {"act": "add_rounds", "count": 0},
        {"act": "add_matches", "pairing": row, "count": 1},
        {"act": "postpone", "starts_at": "2026-04-01T12:00:00Z"},
        {"act": "postpone", "freezes_at": "2020-04-01T12:00:00Z"},
        {"act": "award", "reason": ""},
        {"act": "dance"},
    ]


def _corrections(asker):
    """Let staff annul matches and end a season: tried, done as seen, done as not seen."""
    match = Match.objects.filter(kind="ladder", status="finished").latest("pk")
    for path, body in (
        ("staff/annulments", {"match": match.public_id}),
        ("staff/annulments", {"ladder": "classic", "bot": "other/beta"}),
        ("staff/annulments", {"ladder": "classic", "bot": "nobody/none"}),
        ("staff/annulments", {"match": "m_none"}),
        ("staff/annulments", {"ladder": "classic"}),
        ("staff/ladders/classic/season-end", {}),
        ("staff/ladders/cards/season-end", {}),
        ("staff/ladders/nowhere/season-end", {}),
    ):
        for who in ("owner", "staff"):
            _ask(asker, who, "POST", f"{path}?dry_run=1", body)
        shown = json.loads(asker.last).get("shown") or {"digest": "none", "until": 1}
        for note, digest in (("as seen", shown["digest"]), ("not as seen", "0" * 64)):
            sent = {**body, "reason": "A reason.", "digest": digest}
            sent |= {"until": shown["until"]} if "bot" in body else {}
            _ask(asker, "staff", "POST", path, sent, f"{json.dumps(body)}, {note}")
