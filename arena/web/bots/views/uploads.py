from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from arena.domain.accounts import permissions
from arena.domain.bots import bots
from arena.domain.errors import Refused
from arena.models import Bot, User, Version
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
            version = _create(request.user, form)
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            return redirect(version)
    return render(request, "bots/new.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Upload the next version of a bot; only its owner may."""
    row = get_object_or_404(Bot.objects.select_related("owner"), owner__username=owner, slug=bot)
    if not permissions.may_edit_bot(request.user, row):
        raise PermissionDenied
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


def _create(owner: User, form: BotForm) -> Version:
    with transaction.atomic():
        bot = bots.create(
            owner=owner,
            name=form.cleaned_data["name"],
            description=form.cleaned_data["description"],
        )
        return bots.submit_version(bot=bot, **form.upload())
