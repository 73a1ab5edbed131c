from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from arena.domain.bots import bots
from arena.models import Version
from arena.web import read_models
from arena.web.breadcrumbs import bot_trail
from arena.web.forms import BotForm, UploadForm, submitted
from arena.web.viewer import SignedIn


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
    row = read_models.find_own_bot(request.user, owner, bot)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        version = submitted(form, lambda: bots.submit_version(bot=row, **form.upload()))
        if version:
            return redirect(version)
    context = {"form": form, "bot": row, "trail": bot_trail(row)}
    status = 400 if form.errors else 200
    return render(request, "bots/new_version.html", context, status=status)
