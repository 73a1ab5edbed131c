from collections import Counter
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.variants import rulebook
from arena.models import Ladder
from arena.web.breadcrumbs import variant_trail
from arena.web.matches import labels, replay_frames
from arena.web.variants import rules
from arena.web.variants.page_words import FURNITURE
from engine import registry
from engine.errors import UnknownVariant
from engine.rng import Rng
from engine.scene import Scene
from engine.variant import FULL, Variant

EXAMPLE_RNG_SEED = 7


@require_safe
def variant_list(request: HttpRequest) -> HttpResponse:
    """List all variants, each with a picture and links to its pages."""
    context = {
        "variants": [_card(request, variant) for variant in registry.variants().values()],
    }
    return render(request, "variants/list.html", context)


@require_safe
def variant_in(request: HttpRequest, slug: str, language: str) -> HttpResponse:
    """Show the rules of a variant in another language than English, which has the plain URL."""
    _find(slug)
    if language == rulebook.ENGLISH:
        return redirect("variant", slug, permanent=True)
    if language not in rulebook.languages(slug):
        raise Http404
    return variant(request, slug, language)


@require_safe
def variant(request: HttpRequest, slug: str, language: str = rulebook.ENGLISH) -> HttpResponse:
    """Show the rules of a variant from the page in its folder, if there is one."""
    variant = _find(slug)
    page = rules.page(slug, language)
    context = {
        "variant": variant,
        "page": page,
        "language": language,
        "words": FURNITURE[language],
        "others": _languages(request, slug),
        "example": _example_svg(variant) if page is None or not page.has_pictures else None,
        "ladders": Ladder.objects.filter(variant=variant.name).order_by("slug"),
        "has_ledger": bool(rulebook.ledger(slug)),
    }
    return render(request, "variants/detail.html", context)


@require_safe
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every sentence of a variant's rules with its source and tests; `?kind=` filters them."""
    variant = _find(slug)
    sentences = rulebook.ledger(slug)
    kind = request.GET.get("kind", "")
    if not sentences or kind not in ("", *rulebook.KINDS):
        raise Http404
    counts = Counter(sentence.kind for sentence in sentences)
    context = {
        "variant": variant,
        "trail": variant_trail(variant),
        "kind": kind,
        "total": len(sentences),
        "counts": [(name, label, counts[name]) for name, label in labels.KINDS.items()],
        "sentences": [
            {"row": row, "kind": labels.KINDS[row.kind], "text": rules.inline(row.text)}
            for row in sentences
            if kind in ("", row.kind)
        ],
    }
    return render(request, "variants/ledger.html", context)


def _find(slug: str) -> Variant[Any]:
    try:
        variant = registry.find(slug)
    except UnknownVariant as unknown:
        raise Http404 from unknown
    if variant.slug != slug:
        raise Http404
    return variant


def _card(request: HttpRequest, variant: Variant[Any]) -> dict[str, Any]:
    language = rules.language_for(variant.slug)
    page = rules.page(variant.slug, language)
    return {
        "variant": variant,
        "lead": page.lead if page else "",
        "url": rules.address_of(variant.slug, language),
        "svg": _example_svg(variant),
        "sentences": len(rulebook.ledger(variant.slug)),
        "languages": _languages(request, variant.slug),
    }


def _languages(request: HttpRequest, slug: str) -> list[dict[str, str]]:
    """Return the languages of a rule page, with the addresses of the page in each."""
    addresses = {code: rules.address_of(slug, code) for code in rulebook.languages(slug)}
    return [
        {
            "code": code,
            "name": FURNITURE[code].name,
            "url": address,
            "absolute": request.build_absolute_uri(address),
        }
        for code, address in addresses.items()
    ]


def _example_svg(variant: Variant[Any]) -> SafeString:
    title = _("An example set-up of all seats")
    return replay_frames.draw(_example(variant.slug), title=title, still=True)


@cache
def _example(slug: str) -> Scene:
    """Return the scene of a game after a random set-up."""
    variant = registry.find(slug)
    state = variant.begin(registry.resolve_options(variant, {}), EXAMPLE_RNG_SEED)
    chance = Rng(EXAMPLE_RNG_SEED, "example")
    while variant.phase(state) == "deploy":
        for seat in variant.asked(state):
            variant.apply(state, seat, variant.sample(state, seat, chance))
    return variant.scene(variant.view(state, FULL))
