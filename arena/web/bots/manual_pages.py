"""The pages of the manual as HTML, with links to pages of the site."""

from functools import cache

from django.urls import reverse

from arena.domain.bots import manual, sdk_reference
from arena.domain.bots.manual import ManualEntry
from arena.web.variants import rules
from arena.web.variants.rule_markup import Surroundings

# Where the site has a page for what is no page of the manual.
_INSTEAD = {
    "index": "docs",
    "../bots/README": "starters",
    "../bots/starters": "starters",
    "../bots/starters/README": "starters",
}


@cache
def page(entry: ManualEntry) -> rules.Page:
    """Return a page of the manual."""

    def page_of(link: str) -> str:
        """Return the address of what a link names, or "" if the site does not show it."""
        file, _, anchor = link.partition("#")
        path = manual.target(file, of=entry).removesuffix(".md")
        if path in _INSTEAD:
            return reverse(_INSTEAD[path])
        if manual.find(path) is None:
            return ""
        return f"{address_of(path)}#{anchor}" if anchor else address_of(path)

    return rules.render(manual.source(entry), Surroundings(page_of=page_of))


@cache
def sdk() -> rules.Page:
    """Return the reference of the SDK."""
    return rules.render(sdk_reference.as_markdown(), Surroundings())


def address_of(path: str) -> str:
    """Return the address of a page of the manual."""
    kind, _, name = path.partition("/")
    return reverse("docs-page", args=[kind, name])
