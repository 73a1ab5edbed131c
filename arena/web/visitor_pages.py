"""Pages that many visitors ask for: made once in some seconds, sent only when they changed."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.cache import cache_page
from django.views.decorators.http import conditional_page
from django.views.decorators.vary import vary_on_cookie

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def kept_for_visitors(view: View[P]) -> View[P]:
    """Return a view whose page is kept for VISITOR_PAGES_KEPT_S seconds for those without cookies.

    Whoever has a cookie may be logged in or have just changed something, and gets a new page. The
    browser asks each time whether its page is still the same (ETag).
    """

    @wraps(view)
    def kept(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.COOKIES or not settings.VISITOR_PAGES_KEPT_S:
            return view(request, *args, **kwargs)
        return cache_page(settings.VISITOR_PAGES_KEPT_S)(vary_on_cookie(view))(
            request, *args, **kwargs
        )

    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = kept(request, *args, **kwargs)
        response["Cache-Control"] = "no-cache"
        return response

    return wraps(view)(conditional_page(checked))
