"""Forms of the pages, sent as the page shows them with some values changed."""

import json
from io import BytesIO
from typing import Any

from arena.models import ApiToken, Match, Tournament, VersionTrial
from tests.snapshot import addresses, apiwrites, formvalues
from tests.snapshot.asking import Question

ALPHA = "/bots/owner/alpha/"
V4 = f"{ALPHA}versions/4/"
REASON = {"reason": "A reason."}

# Who sends a form, where it is, and what is written into it.
FORMS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("owner", f"{ALPHA}pause/", {"paused": "yes"}),
    ("owner", "/bots/owner/paused/pause/", {}),
    ("owner", f"{ALPHA}challenges/", {"allowed": "yes"}),
    ("owner", f"{ALPHA}challenges/", {"allowed": "no"}),
    ("owner", f"{ALPHA}tries/", {"first": "yes"}),
    ("owner", f"{ALPHA}tries/", {"first": "no"}),
    ("owner", f"{V4}activate/", {}),
    ("owner", f"{V4}retire/", {}),
    ("owner", f"{ALPHA}versions/2/retire/", {}),
    ("owner", "/bots/owner/crashy/versions/1/resume/", {}),
    ("owner", f"{ALPHA}versions/3/try/", {"against": "4"}),
    ("owner", f"{ALPHA}versions/3/try/", {"activates": "yes"}),
    ("owner", f"{V4}try/", {"against": "4"}),
    ("owner", f"{V4}try/", {"against": "x"}),
    ("other", f"{V4}try/", {}),
    ("owner", "/notices/read/", {}),
    ("owner", "/account/tokens/", {"name": "mine", "scopes": ["read", "bots:write"]}),
    ("owner", "/account/tokens/", {"name": " ", "scopes": ["fly"]}),
    ("owner", "/bots/other/beta/challenge/", {"bot": "alpha", "ladder": "general"}),
    ("owner", "/bots/other/beta/challenge/", {"bot": "owner/alpha", "ladder": "siege"}),
    ("owner", "/bots/other/beta/challenge/", {"bot": "none", "ladder": "nowhere", "version": "x"}),
    ("owner", "/bots/other/siege-other/challenge/", {"third": "ann/siege-ann"}),
    ("owner", "/bots/other/siege-other/challenge/", {"ladder": "siege-3", "third": "x"}),
    ("owner", "/bots/other/quiet/challenge/", {"ladder": "general"}),
    ("anonymous", "/accounts/login/", {"login": "owner", "password": "correct horse"}),
    ("anonymous", "/accounts/login/", {"login": "owner", "password": "wrong"}),
    ("anonymous", "/accounts/signup/", {"username": "newcomer", "password1": "correct horse 9",
                                        "password2": "correct horse 9"}),
    ("anonymous", "/accounts/signup/", {"username": "owner", "password1": "1", "password2": "2"}),
    ("anonymous", "/accounts/password/reset/", {"email": "owner@example.org"}),
    ("owner", "/accounts/password/change/", {"oldpassword": "wrong", "password1": "1"}),
    ("owner", "/accounts/logout/", {}),
    ("organizer", "/tournaments/cup-open/entrants/top/", {"top_n": "3"}),
    ("organizer", "/tournaments/cup-open/entrants/top/", {"top_n": "0"}),
    ("organizer", "/tournaments/cup-open/entrants/list/", {"text": "bot\nother/delta\n"}),
    ("organizer", "/tournaments/cup-open/entrants/list/", {"text": "bot,seed\nx,y\nno/ne,1\n"}),
    ("organizer", "/tournaments/cup-open/entrants/one/", {"bot": "other/delta", "do": "invite"}),
    ("organizer", "/tournaments/cup-open/entrants/one/", {"bot": "other/delta", "do": "enter"}),
    ("organizer", "/tournaments/cup-open/entrants/one/", {"bot": "nobody/none"}),
    ("other", "/tournaments/cup-open/enter/", {}),
    ("other", "/tournaments/cup-open/enter/", {"bot": "none"}),
    ("other", "/tournaments/cup-hidden/enter/", {}),
    ("owner", "/tournaments/cup-running/enter/", {}),
)  # fmt: skip


def ask(asker):
    """Yield the answers to all of it, and to the questions for the forms."""
    for who, address, values in FORMS:
        yield from _send(asker, who, address, values)
    yield from _uploads(asker)
    yield from _rows(asker)
    yield from _drafts(asker)
    yield from _entrants(asker)
    yield from _stages(asker)
    yield from _acts(asker)
    yield from _staff(asker)


def _send(asker, who, address, values, page="", note=""):
    """Send a form as its page shows it, with these values; `page` if another one shows it."""
    shown = {}
    if asker.wants(who, "POST", address):
        list(asker.ask(Question(who, "GET", page or address, note="for the form"), kept=False))
        shown = formvalues.of_page(asker.last)
    body = {**shown, **values}
    said = note or json.dumps({name: str(value) for name, value in values.items()})
    yield from asker.ask(Question(who, "POST", address, body, note=said))


def _uploads(asker):
    for address, values in (
        ("/bots/new/", {"name": "New Bot", "variants": ["general"]}),
        ("/bots/new/", {"name": "Alpha", "variants": ["chess"]}),
        (f"{ALPHA}versions/new/", {"variants": ["general", "classic"]}),
    ):
        for name, data in (("bot.py", b"print()\n"), ("bot.exe", b"?"), ("bot.zip", b"")):
            file = BytesIO(data)
            file.name = name
            note = f"{values} and {name}"
            yield from _send(asker, "owner", address, {**values, "file": file}, note=note)


def _rows(asker):
    """Cancel and revoke what has a row of its own."""
    for match in Match.objects.filter(kind="challenge").order_by("pk"):
        for who in ("owner", "user", "staff"):
            yield from _send(asker, who, f"/challenges/{match.public_id}/cancel/", {})
    for trial in VersionTrial.objects.order_by("pk"):
        for who in ("owner", "other"):
            yield from _send(asker, who, f"/trials/{trial.public_id}/cancel/", {})
    token = ApiToken.objects.filter(user__username="owner").order_by("created")[0]
    for who in ("owner", "other"):
        yield from _send(asker, who, f"/account/tokens/{token.public_id}/revoke/", {})


def _drafts(asker):
    """Fill in the wizard for every template and format, and change every tournament."""
    for template in ("swiss", "round-robin", "double-elimination"):
        address = f"/tournaments/new/?template={template}"
        for values in (
            {"do": "preview", "entrants": "7"},
            {"do": "create", "name": "New Cup"},
            {"do": "create", "name": "Open", "slug": "cup-open"},
            {"do": "create", "name": "", "min_entrants": "x"},
            {"do": "create", "name": "Late", "starts_at": "2020-01-01T00:00"},
        ):
            yield from _send(asker, "owner", address, values)
        for name in apiwrites.FORMATS:
            values = {"do": "preview", "format": name, "min_entrants": "8"}
            yield from _send(asker, "owner", address, values)
    for cup in Tournament.objects.order_by("pk"):
        address = f"/tournaments/{cup.slug}/edit/"
        for values in ({"do": "save"}, {"do": "save", "name": "Renamed", "max_entrants": "9"}):
            yield from _send(asker, "organizer", address, values)
    stale = {"do": "save", "name": "Renamed", "revision": "0"}
    yield from _send(asker, "organizer", "/tournaments/cup-open/edit/", stale)


def _entrants(asker):
    """Leave, choose a version and answer an invitation."""
    for slug, bot in (("open", "alpha"), ("running", "alpha"), ("invited", "alpha")):
        cup = Tournament.objects.get(slug=f"cup-{slug}")
        entrant = cup.entrants.get(bot__slug=bot).pk
        for who in ("owner", "other", "organizer"):
            for what, values in (
                ("leave", {}),
                ("version", {"version": "4"}),
                ("version", {"version": "x"}),
                ("answer", {"answer": "accept"}),
                ("answer", {"answer": "decline"}),
            ):
                address = f"/tournaments/{cup.slug}/{what}/"
                page = f"{address}?entrant={entrant}"
                yield from _send(asker, who, address, {**values, "entrant": str(entrant)}, page)


def _stages(asker):
    """Take every step in every console, show rounds, change organizers, rehearse."""
    for cup in Tournament.objects.order_by("pk"):
        console = f"/tournaments/{cup.slug}/manage/"
        seen = {"revision": str(cup.revision)}
        for stage in addresses.STAGES[:-1]:
            values = {**seen, **REASON}
            address = f"{console}{stage}/"
            yield from _send(asker, "organizer", address, values, console, note="as seen")
        for values in ({"release": "public", "round": "1"}, {"release": "nobody", "round": "x"}):
            address, note = f"{console}rounds/", json.dumps(values)
            yield from _send(asker, "organizer", address, {**values, **seen}, console, note)
        rehearsal = f"/tournaments/{cup.slug}/rehearsal/"
        yield from _send(asker, "organizer", rehearsal, {})
        yield from _send(asker, "organizer", f"{rehearsal}discard/", {}, rehearsal)
    console = "/tournaments/cup-open/manage/"
    stale = {"revision": "0", **REASON}
    yield from _send(asker, "organizer", f"{console}freeze/", stale, console)
    for what, name in (("add", "owner"), ("add", "nobody"), ("remove", "organizer")):
        address = f"{console}organizers/{what}/"
        yield from _send(asker, "organizer", address, {"username": name}, console)


def _acts(asker):
    """Look at the dry run of every act on its page, and confirm it."""
    for slug in ("cup-hidden", "cup-running", "cup-paused", "cup-completed", "cup-frozen"):
        cup = Tournament.objects.get(slug=slug)
        for said in apiwrites.acts_of(cup):
            asked = {name: value for name, value in _as_form(cup, said).items() if name != "act"}
            query = "&".join(f"{name}={value}" for name, value in asked.items())
            name = said["act"].replace("_", "-")
            address = f"/tournaments/{slug}/manage/act/{name}/?{query}"
            yield from asker.ask(Question("organizer", "GET", address))
            yield from _send(asker, "organizer", address, REASON)
            yield from _send(asker, "organizer", address, {**REASON, "revision": "0"})


def _as_form(cup, said):
    """Return what the API says of an act in the words of its form."""
    asked = dict(said)
    named = cup.entrants.filter(bot__slug=str(asked.get("entrant")).rpartition("/")[2]).first()
    if "entrant" in asked:
        asked["to" if asked["act"] == "award" else "entrant"] = named.pk if named else "all"
    if asked["act"] == "award":
        asked.pop("entrant", None)
    if asked["act"] == "add_rounds":
        asked["rounds"] = asked.pop("count")
    return asked


def _staff(asker):
    """Annul, end seasons, and void, cancel or repeat matches."""
    match = Match.objects.filter(kind="ladder", status="finished").latest("pk")
    for address in (
        f"/staff/annul/?match={match.public_id}",
        "/staff/annul/?ladder=classic&bot=other/beta",
        "/staff/ladders/classic/season/",
    ):
        for values in (REASON, {"reason": ""}, {**REASON, "digest": "0" * 64}):
            yield from _send(asker, "staff", address, values)
    chosen = {row.status: row for row in Match.objects.exclude(kind="tournament").order_by("-pk")}
    for status in sorted(chosen):
        for what in ("void", "cancel", "rerun"):
            address = f"/staff/matches/{chosen[status].public_id}/{what}/"
            for values in (REASON, {"reason": ""}):
                yield from _send(asker, "staff", address, values, note=json.dumps(values))
