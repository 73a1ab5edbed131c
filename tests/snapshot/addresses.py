"""The addresses that the snapshot asks for, with real words in every place of a route.

Every route of the site has to be reached by one of them: `missing` names those that are not.
"""

import re
from itertools import product

from django.contrib import admin
from django.urls import Resolver404, URLResolver, get_resolver, resolve, reverse

from arena.models import Game, Ladder, Match, Tournament, TournamentRound, Version, VersionTrial
from engine.registry import variants

PAGES = """
/
/ladders/
/ladders/{ladder}/
/ladders/{season}/
/bots/
/bots/?page=2
/bots/new/
/bots/{bot}/
/bots/owner/alpha/pause/
/bots/{bot}/challenge/
/bots/owner/alpha/challenges/
/bots/{bot}/versions/new/
/bots/owner/alpha/tries/
/bots/{bot}/vs/
/bots/owner/alpha/vs/?opponent={bot}
/bots/{version}/
/bots/{version}/record/
/bots/{version}/checklist/
/bots/owner/alpha/versions/3/activate/
/bots/owner/alpha/versions/3/retire/
/bots/owner/alpha/versions/3/resume/
/bots/owner/alpha/versions/3/try/
/bots/{version}/trials/
/bots/{versus}/
/trials/none/cancel/
/notices/
/notices/read/
/challenges/
/challenges/m_none/cancel/
/matches/
/matches/?{wanted}
/matches/{match}/
/matches/{cup_match}/
/matches/{web_game}/
/matches/{web_game}/?ply=9&flip=1
/matches/{web_game}/replay/
/matches/{web_game}/replay/?view=red
/matches/{web_game}/forensics/
/tournaments.ics
/tournaments/
/tournaments/?status=over
/tournaments/?status=running&format=swiss
/tournaments/?mine=1
/tournaments/new/
/tournaments/new/?template={template}
/tournaments/{cup}/
/tournaments/{cup}/edit/
/tournaments/{cup}/standings/
/tournaments/{cup}/rounds/
/tournaments/{round}/
/tournaments/{cup}/crosstable/
/tournaments/{cup}/bracket/
/tournaments/{cup}/log/
/tournaments/cup-hidden/log/?round=1
/tournaments/{cup}/print/
/tournaments/{cup}/embed/
/tournaments/cup-groups/embed/?show=bracket&theme=dark
/tournaments/{cup}/entrants/
/tournaments/{cup}/enter/
/tournaments/{entry_cup}/leave/?entrant={entrant}
/tournaments/{entry_cup}/version/?entrant={entrant}
/tournaments/cup-open/entrants/top/
/tournaments/cup-open/entrants/list/
/tournaments/cup-open/entrants/one/
/tournaments/cup-open/answer/
/tournaments/{cup}/export.csv
/tournaments/cup-groups/export.csv?table={table}
/tournaments/{cup}/export.json
/tournaments/{cup}/calendar.ics
/tournaments/{cup}/manage/
/tournaments/cup-hidden/manage/?round=1
/tournaments/cup-open/manage/freeze/
/tournaments/cup-open/manage/rounds/
/tournaments/cup-open/manage/organizers/add/
/tournaments/cup-open/manage/organizers/remove/
/tournaments/{acted_cup}/manage/act/{act}/
/tournaments/{cup}/rehearsal/
/tournaments/cup-open/rehearsal/discard/
/@{user}/
/queue/
/queue/?mine=1
/queue/?page=2
/staff/
/staff/log/
/staff/log/?by=staff&action=annul
/staff/log/?since=never
/staff/signals/
/staff/annul/
/staff/annul/?ladder=general&bot=owner/alpha
/staff/annul/?match=m_none
/staff/ladders/{ladder}/season/
/staff/matches/{match}/
/staff/matches/{cup_match}/
/staff/matches/m_none/void/
/protocol/
/variants/
/variants/{variant}/
/variants/{variant}/ledger/
/variants/{variant}/ledger/?kind=rule
/variants/{variant}/{language}/
/account/tokens/
/account/tokens/t_none/revoke/
/healthz
/readyz
/metrics
/no/such/page/
/accounts/login/
/accounts/logout/
/accounts/inactive/
/accounts/signup/
/accounts/reauthenticate/
/accounts/email/
/accounts/confirm-email/
/accounts/confirm-email/a:key/
/accounts/password/change/
/accounts/password/set/
/accounts/password/reset/
/accounts/password/reset/done/
/accounts/password/reset/key/1-none/
/accounts/password/reset/key/done/
/accounts/login/code/confirm/
"""

API = """
users
tokens
tokens/t_none
me
bots
bots?owner=owner
bots?page_size=3
bots?page_size=x&cursor=none
bots/{bot}
bots/owner/alpha/pause
bots/owner/alpha/resume
bots/{bot}/versions
bots/{version}
bots/{version}/log
bots/owner/alpha/versions/3/activate
bots/owner/alpha/versions/3/retire
bots/owner/alpha/versions/3/resume
bots/{version}/record
bots/{version}/trials
bots/{versus}
trials/{trial}
trials/none/cancel
notices
notices?page_size=2
notices/read
challenges
challenges/{challenge}
ladders
ladders?page_size=2
ladders/{ladder}/entries
ladders/{ladder}/entries?place=2
ladders/{ladder}/entries?place=x
ladders/{ladder}/seasons
ladders/{season}
queue
queue?page_size=2
queue?mine=true
variants
variants/{variant}
variants/{variant}/schema
variants/{variant}/ledger
variants/classic@1
matches
matches?page_size=2
matches?{wanted}
matches/{match}
matches/{cup_match}
matches/{match}/explanations
tournaments
tournaments?page_size=2
tournaments?status=running
tournaments?mine=true
tournaments?format=chess
tournament-templates
tournament-preview
tournaments/{cup}
tournaments/cup-open/{stage}
tournaments/{cup}/standings
tournaments/{cup}/rounds
tournaments/{cup}/crosstable
tournaments/{cup}/bracket
tournaments/{cup}/log
tournaments/{cup}/estimate
tournaments/cup-open/estimate?entrants=7
tournaments/cup-open/estimate?entrants=x
tournaments/{cup}/export
tournaments/cup-groups/export?table={table}
tournaments/{cup}/rehearsals
tournaments/{cup}/entrants
tournaments/{cup}/mine
tournaments/{round}
tournaments/cup-hidden/rounds/2/release
tournaments/cup-open/take-top
tournaments/cup-open/take-list
tournaments/cup-open/organizers
tournaments/cup-open/organizers/organizer
tournaments/cup-open/entrants/owner/alpha
tournaments/cup-invited/entrants/owner/alpha/answer
tournaments/cup-hidden/acts
staff/annulments
staff/ladders/classic/season-end
games/{game}/replay
games/{seen_game}/replay?view=red
games/{seen_game}/replay?view=full
games/{game}/record
games/{game}/log
games/{game}/evidence
schema/
docs/
no/such/address
"""

# What htmx asks for by itself, as part of a page.
FRAGMENTS = (
    "/queue/",
    "/queue/?mine=1",
    "/tournaments/cup-running/",
    "/tournaments/cup-groups/",
    "/tournaments/cup-running/embed/",
    "/tournaments/cup-groups/embed/?show=bracket",
    "/tournaments/cup-open/rehearsal/",
    "/tournaments/new/?template=swiss",
)
BOTS = (
    "owner/alpha",
    "owner/crashy",
    "owner/paused",
    "other/beta",
    "other/delta",
    "other/empty",
    "other/compiled",
    "ann/siege-ann",
    "nobody/none",
)
VERSUS = (
    "owner/alpha/vs/other/beta",
    "other/beta/vs/owner/alpha",
    "owner/alpha/vs/ann/star-ann",
    "owner/siege-owner/vs/other/siege-other",
    "owner/alpha/vs/owner/alpha",
    "owner/alpha/vs/nobody/none",
)
WANTED = (
    "ladder=classic",
    "bot=owner/alpha",
    "bot=owner/alpha&opponent=other/beta",
    "kind=challenge",
    "kind=tournament",
    "status=queued",
    "rated=no",
    "termination=crash",
    "since=2026-03-03",
    "bot=nobody",
    "since=never",
    "kind=war",
)
STAGES = ("open", "freeze", "start", "pause", "resume", "release", "cancel", "rehearse")
ACTS = (
    "void",
    "rerun",
    "award",
    "substitute",
    "withdraw",
    "disqualify",
    "add-rounds",
    "add-matches",
    "postpone",
    "dance",
)


def words():
    """Return what may stand in each place, from the rows that there are."""
    games = _games()
    cups = list(Tournament.objects.order_by("pk").values_list("slug", flat=True))
    rounds = TournamentRound.objects.order_by("tournament", "number")
    numbers = rounds.values_list("tournament__slug", "number")
    return {
        "ladder": [*Ladder.objects.order_by("slug").values_list("slug", flat=True), "nowhere"],
        "season": ["classic/seasons/1", "classic/seasons/9"],
        "bot": BOTS,
        "version": _versions(),
        "versus": VERSUS,
        "trial": [*VersionTrial.objects.order_by("pk").values_list("public_id", flat=True), "none"],
        "challenge": list(
            Match.objects.filter(kind="challenge")
            .order_by("pk")
            .values_list("public_id", flat=True)
        ),
        "wanted": WANTED,
        "match": [*_matches(), "m_none"],
        "cup_match": _cup_matches(),
        "web_game": [f"{match}/games/{number}" for match, number in games],
        "game": [f"{match}/{number}" for match, number in games],
        "seen_game": [f"{match}/{number}" for match, number in games[:4]],
        "template": ["swiss", "round-robin", "double-elimination", "none"],
        "cup": [*cups, "cup-none"],
        "entry_cup": ["cup-open", "cup-running"],
        "entrant": ["1", "9", "none"],
        "round": [*(f"{slug}/rounds/{number}" for slug, number in numbers), "cup-open/rounds/1"],
        "acted_cup": ["cup-hidden", "cup-paused", "cup-completed", "cup-open"],
        "act": ACTS,
        "stage": STAGES,
        "table": ["standings", "crosstable", "pairings", "entrants", "chairs"],
        "user": ["user", "owner", "other", "staff", "nobody"],
        "variant": [*variants(), "chess"],
        "language": ["de", "xx"],
    }


def pages():
    """Return the addresses of the pages; of the admin those of every model that it shows."""
    return [*_filled(PAGES, "")]


def api():
    """Return the addresses of the API."""
    return [*_filled(API, "/api/v1/")]


def of_the_admin():
    """Return the addresses of the lists of the admin, and of the first row of each."""
    found = ["/admin/", "/admin/login/", "/admin/password_change/"]
    for model in sorted(admin.site._registry, key=lambda each: each._meta.label):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_add")]
        row = model._default_manager.order_by("pk").first()
        if row is not None:
            found += [reverse(f"{name}_{what}", args=[row.pk]) for what in ("change", "history")]
    return found


def missing(addresses):
    """Return the routes that no address leads to."""
    return sorted(routes() - {route_of(address) for address in addresses})


def routes():
    """Return every route of the site; the admin is walked by its models instead."""
    return {route for route in _routes(get_resolver()) if not route.startswith("admin/")}


def one_of_each_route(asked):
    """Return the first address of each route; what has a query asks the same of it."""
    found = {route_of(address): address for address in reversed(asked)}
    return list(reversed(found.values()))


def route_of(address):
    """Return the route that an address leads to; None for none."""
    try:
        return resolve(address.partition("?")[0]).route.removeprefix("^")
    except Resolver404:
        return None


def _routes(resolver, before=""):
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, route)
        else:
            yield route


def _filled(text, before):
    choices = words()
    for line in text.split():
        names = re.findall(r"{(\w+)}", line)
        for chosen in product(*(choices[name] for name in names)):
            yield before + re.sub(r"{\w+}", "{}", line).format(*chosen)


def _versions():
    """Return every version of the first bot, and the first one of others."""
    rows = Version.objects.select_related("bot__owner").order_by("pk")
    chosen = [row for row in rows if row.number == 1 or row.bot.slug == "alpha"]
    named = (*BOTS, "ann/new-ann", "ben/new-ben", "cleo/new-cleo", "dan/new-dan")
    return [
        *(f"{row.bot}/versions/{row.number}" for row in chosen if str(row.bot) in named),
        "owner/alpha/versions/99",
    ]


def _matches():
    """Return the first match of every ladder, kind, status and way to count."""
    rows = Match.objects.exclude(kind="tournament").order_by("pk")
    kinds = {}
    for row in rows.select_related("ladder"):
        kind = (row.ladder.slug, row.kind, row.status, row.annulment_id, row.rerun_of_id is None)
        kinds.setdefault(kind, row.public_id)
    return list(kinds.values())


def _cup_matches():
    """Return the first match of every tournament, status and release."""
    kinds = {}
    for row in Match.objects.filter(kind="tournament").select_related("pairing__round"):
        kind = (row.pairing.round.tournament_id, row.status, row.release)
        kinds.setdefault(kind, row.public_id)
    return list(kinds.values())


def _games():
    """Return games with a real record: the first of every ladder, kind and termination."""
    rows = Game.objects.exclude(termination="").order_by("pk").select_related("match__ladder")
    kinds = {}
    for row in rows:
        match = row.match
        if match.ladder.slug != "classic":
            kind = (match.ladder.slug, match.kind, row.termination)
            kinds.setdefault(kind, (match.public_id, row.number))
    classic = rows.filter(match__ladder__slug="classic").first()
    unplayed = Game.objects.filter(termination="").order_by("pk").first()
    some = [(row.match.public_id, row.number) for row in (classic, unplayed)]
    return [*kinds.values(), *some, (some[0][0], 9)]
