from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from arena.domain.bots import bots
from arena.domain.errors import Refused
from arena.web import read_models
from arena.web.breadcrumbs import bot_trail
from arena.web.forms import BotForm, UploadForm, show_refusal
from arena.web.viewer import SignedIn


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: SignedIn) -> HttpResponse:
    """Create a bot and its first version, both or neither."""
    form = BotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                bot = bots.create(
                    owner=request.user,
                    name=form.cleaned_data["name"],
                    description=form.cleaned_data["description"],
                )
                return redirect(bots.submit_version(bot=bot, **form.upload()))
        except Refused as refusal:
            show_refusal(form, refusal)
    return render(request, "bots/new.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Upload the next version of a bot; only its owner may."""
    row = read_models.find_own_bot(request.user, owner, bot)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(bots.submit_version(bot=row, **form.upload()))
        except Refused as refusal:
            show_refusal(form, refusal)
    return render(
        request,
        "bots/new_version.html",
        {"form": form, "bot": row, "trail": bot_trail(row)},
        status=400 if form.errors else 200,
    )
