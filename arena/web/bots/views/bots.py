from collections import Counter
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.accounts import permissions
from arena.domain.bots import activation, bots, person_games
from arena.domain.ladders import idle_reasons, leaderboards
from arena.domain.ladders.leaderboards import LeaderboardEntry
from arena.domain.matches import forensics, listings
from arena.domain.ratings import histories
from arena.models import Bot, OnlineBot, Version
from arena.web import lookups, paging
from arena.web.bots import challenge_form
from arena.web.breadcrumbs import bot_trail
from arena.web.forms import BotForm, BotTextsForm, UploadForm, attempt, submitted
from arena.web.ratings import charts
from arena.web.viewer import SignedIn

BOTS_SHOWN = 48
MATCHES_SHOWN = 12
FAILURES_SHOWN = 5


@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    """List all bots with their ratings."""
    rows, pages = paging.listed(
        request, bots.listed(), order=("owner__username", "slug"), size=BOTS_SHOWN
    )
    context = {"bots": rows, **pages, "newer_label": _("Previous"), "older_label": _("Next")}
    return render(request, "bots/list.html", context)


@require_safe
def bot(request: HttpRequest, owner: str, bot: str) -> HttpResponse:
    """Show a bot: its ladders with history and form, its versions and its latest matches."""
    row = lookups.find_bot(owner, bot)
    versions = list(row.versions.order_by("-number"))
    is_owner = permissions.may_edit_bot(request.user, row)
    idle = idle_reasons.of_bot(bot=row, viewer=request.user)
    waiting = idle_reasons.waiting(bot=row) if is_owner else Counter[int]()
    context = {
        "bot": row,
        "trail": bot_trail(row)[:-1],
        "is_owner": is_owner,
        "entries": [
            {
                **_entry(row, standing),
                "idle": idle.get(standing.entrant.ladder_id),
                "waiting": waiting[standing.entrant.ladder_id],
            }
            for standing in leaderboards.standings_of(bot=row)
        ],
        "versions": versions,
        "matches": listings.latest_matches(
            versions=[version.pk for version in versions],
            limit=MATCHES_SHOWN,
            viewer=request.user,
        ),
        "failures": forensics.latest_of(bot=row, limit=FAILURES_SHOWN, viewer=request.user),
        **challenge_form.offer(request, row),
        "is_online": OnlineBot.objects.now().filter(bot=row).exists(),
        "can_be_played": person_games.is_offered(bot=row, by=request.user),
    }
    return render(request, "bots/detail.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: SignedIn) -> HttpResponse:
    """Create a bot and its first version, both or neither."""
    form = BotForm(request.POST or None, request.FILES or None)

    @transaction.atomic
    def create() -> Version:
        bot = bots.create(
            owner=request.user,
            name=form.cleaned_data["name"],
            description=form.cleaned_data["description"],
        )
        return bots.submit_version(bot=bot, **form.upload())

    if request.method == "POST" and (version := submitted(form, create)):
        return redirect(version)
    return render(request, "bots/new.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Upload the next version of a bot; only its owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        version = submitted(form, lambda: bots.submit_version(bot=row, **form.upload()))
        if version:
            return redirect(version)
    context = {"form": form, "bot": row, "trail": bot_trail(row)}
    status = 400 if form.errors else 200
    return render(request, "bots/new_version.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Change the name and the description of a bot; only its owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    texts = {"name": row.name, "description": row.description}
    form = BotTextsForm(request.POST or None, initial=texts)
    if request.method == "POST":
        changed = submitted(form, lambda: bots.edit(bot=row, **form.cleaned_data))
        if changed:
            messages.success(request, _("The bot is changed."))
            return redirect(changed)
    row.refresh_from_db()  # the page does not show what was refused
    context = {"form": form, "bot": row, "trail": bot_trail(row)}
    return render(request, "bots/edit.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def retire(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Retire all versions of a bot; only its owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    attempt(request, _("The bot is retired."), lambda: activation.retire_bot(bot=row))
    return redirect(row)


@login_required
@require_POST
def delete(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Delete a bot that has played no match; only its owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    if attempt(request, _("The bot is deleted."), lambda: bots.delete(bot=row)):
        return redirect(request.user)
    return redirect("bot-edit", owner, bot)


@login_required
@require_POST
def pause(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Pause or resume match-making for the bot; only its owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    if request.POST.get("paused") == "yes":
        bots.pause(bot=row)
    else:
        bots.resume(bot=row)
    return redirect(row)


@login_required
@require_POST
def gate(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Choose if new versions play at once or only after a trial; only the bot's owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    bots.configure(bot=row, gate_new_versions=request.POST.get("first") == "yes")
    return redirect(row)


def _entry(row: Bot, standing: LeaderboardEntry) -> dict[str, Any]:
    ladder, version = standing.entrant.ladder, standing.entrant.version_id
    points = histories.history(bot=row, ladder=ladder)
    title = _("Elo of %(bot)s on %(ladder)s after each match") % {
        "bot": row.name,
        "ladder": ladder.name,
    }
    return {
        "entrant": standing.entrant,
        "rank": standing.rank,
        "provisional": standing.provisional,
        "form": histories.form_of(ladder=ladder, versions=[version]).get(version, []),
        "chart": charts.history_chart(points, title=title) if points else "",
        "biggest_changes": leaderboards.biggest_changes(entrant=standing.entrant),
    }
