"""The manual of the site: pages for authors and organizers, the SDK, and starters to download."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.bots import languages, manual
from arena.web.bots import manual_pages
from arena.web.variants import rules
from botkit import starters
from botkit.package import zipped
from engine import registry


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the sections of the manual."""
    context = {
        "sections": [
            {
                "title": section.title,
                "entries": [
                    {
                        "name": entry.name,
                        "address": manual_pages.address_of(entry.path),
                        "about": rules.inline(entry.about),
                    }
                    for entry in section.entries
                ],
            }
            for section in manual.sections()
        ],
    }
    return render(request, "bots/manual.html", context)


@require_safe
def page(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Show a page of the manual."""
    place = manual.find(f"{kind}/{name}")
    if place is None:
        raise Http404
    section, entry = place
    context = {
        "page": manual_pages.page(entry),
        "trail": [_top()],
        "others": [
            {"name": other.name, "address": manual_pages.address_of(other.path)}
            for other in section.entries
            if other != entry
        ],
        "others_title": section.title,
        "names_languages": entry.path == manual.LANGUAGES,
    }
    return render(request, "bots/manual_page.html", context)


@require_safe
def protocol(_request: HttpRequest) -> HttpResponse:
    """Redirect from the former address of the protocol's page."""
    return redirect(manual_pages.address_of(manual.PROTOCOL), permanent=True)


@require_safe
def sdk(request: HttpRequest) -> HttpResponse:
    """Show the reference of the SDK."""
    context = {"page": manual_pages.sdk(), "trail": [_top()]}
    return render(request, "bots/manual_page.html", context)


@require_safe
def starter_list(request: HttpRequest) -> HttpResponse:
    """Show the starters for the games and the languages of this site."""
    offered = _offered()
    context = {
        "trail": [_top()],
        "games": [
            {
                "variant": variant,
                "starters": [
                    {"title": title, "address": reverse("starter", args=[variant.slug, lang])}
                    for lang, title in offered.items()
                    if lang in starters.languages_of(variant.slug)
                ],
            }
            for variant in registry.variants().values()
        ],
    }
    return render(request, "bots/starters.html", context)


@require_safe
def starter(_request: HttpRequest, game: str, lang: str) -> HttpResponse:
    """Send a starter as a zip, which may be uploaded as it is."""
    if game not in registry.variants() or lang not in _offered():
        raise Http404
    name = f"{game}-{lang}"
    try:
        data = zipped(starters.starter(game, lang, name=name))
    except starters.NotInstalled as missing:
        raise Http404 from missing
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return HttpResponse(data, content_type="application/zip", headers=headers)


def _top() -> tuple[str, str]:
    return reverse("docs"), _("Documentation")


def _offered() -> dict[str, str]:
    """Return the starters in languages that this site plays, with their titles."""
    played = {language.name: language.title for language in languages.played()}
    sdk = {starters.SDK: _("Python with the SDK")} if "python" in played else {}
    return sdk | played
