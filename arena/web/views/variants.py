from collections import Counter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.web import pictures, rules
from engine import registry
from engine.errors import UnknownVariant
from engine.rng import Rng
from engine.variant import FULL

EXAMPLE_RNG_SEED = 7


@require_safe
def variant(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a variant: an example of its board, the army and every option, all from its own data."""
    try:
        found = registry.find(slug)
    except UnknownVariant as unknown:
        raise Http404 from unknown
    state = found.begin(registry.resolve_options(found, {}), EXAMPLE_RNG_SEED)
    chance = Rng(EXAMPLE_RNG_SEED, "example")
    for seat in found.asked(state):
        found.apply(state, seat, found.sample(state, seat, chance))
    scene = found.scene(found.view(state, FULL))
    side = found.side_of(found.seats[0])
    army = Counter(
        (piece.face, piece.text.removeprefix(f"{side} "))
        for piece in scene.pieces
        if piece.side == side
    )
    context = {
        "variant": found,
        "rules": rules.sections(found.slug),
        "options": found.options.items(),
        "svg": pictures.draw(scene, title=_("An example set-up of both sides")),
        "army": [
            {"code": code, "name": name, "count": count}
            for (code, name), count in sorted(army.items(), key=lambda item: _strength(item[0][0]))
        ],
    }
    return render(request, "variants/detail.html", context)


def _strength(face: str | None) -> int:
    """Order from the marshal down; flag and bomb come last."""
    return "M98765432SBF".find(face or "")
