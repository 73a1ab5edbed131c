"""What programs ask for that walk through the site: robots.txt, the sitemap and the icon."""

from django.contrib.sitemaps import views as sitemap_views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from arena.web.overview.sitemaps import SITEMAPS
from arena.web.visitor_pages import kept_for_visitors

# Pages without an end, that need a sign-in, or that are for programs.
DISALLOWED = (
    *("/account/", "/accounts/", "/admin/", "/api/", "/challenges/", "/metrics", "/notices/"),
    *("/queue/", "/search/", "/staff/", "/bots/new/", "/bots/*/challenge/", "/bots/*/vs/"),
    *("/matches/?", "/matches/*/games/*/", "/tournaments/new/", "/tournaments/*/manage/"),
)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return what crawlers should not ask for, and where the sitemap is."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in DISALLOWED),
        "",
        f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@require_safe
@kept_for_visitors
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the pages of the sitemap."""
    return sitemap_views.index(request, SITEMAPS, sitemap_url_name="sitemap-section").render()


@require_safe
@kept_for_visitors
def sitemap_section(request: HttpRequest, section: str) -> HttpResponse:
    """Show a page of the sitemap."""
    return sitemap_views.sitemap(request, SITEMAPS, section=section).render()


@require_safe
def icon(_request: HttpRequest) -> HttpResponse:
    """Redirect from where browsers look for an icon that no page names."""
    return redirect(static("img/favicon.ico"))
