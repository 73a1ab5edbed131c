# mypy: disable-error-code="type-arg"
# Django's admin classes take parameters for the type checker only, not when they run.
"""An admin site that logs every action, also on the pages of other apps."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.contrib.admin import AdminSite, ModelAdmin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from arena.domain.accounts import staff_log
from arena.texts import as_rows_keep_them

if TYPE_CHECKING:
    from arena.models import User

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
Action = Callable[[ModelAdmin, HttpRequest, QuerySet], Any]


class Noted(ModelAdmin):
    """Writes every added, changed or deleted row, and every action on rows, to the staff log."""

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:  # noqa: ANN401 - Django's signature
        """Log that a row was added."""
        _note(request, "admin.add", obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:  # noqa: ANN401 - Django's signature
        """Log that a row was changed, with the names of the fields."""
        _note(request, "admin.change", obj, message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:  # noqa: ANN401 - Django's signature
        """Log the rows that are about to be deleted."""
        for row in queryset:
            _note(request, "admin.delete", row, "")
        return super().log_deletions(request, queryset)

    def get_actions(self, request: HttpRequest) -> Any:  # noqa: ANN401 - as Django's
        """Return the actions of the page, wrapped so that they log their rows."""
        actions: dict[str, Any] = dict(super().get_actions(request))
        return {
            name: (run if name == "delete_selected" else _noting(name, run), name, title)
            for name, (run, _name, title) in actions.items()
        }


class NotedAdminSite(AdminSite):
    """Django's admin site. Every page that is registered with it is `Noted`."""

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 - Django's signature
        """Guard a page like Django, and answer the methods that the page has and no others."""
        return require_http_methods(["GET", "HEAD", "POST"])(super().admin_view(view, cacheable))

    def password_change(  # type: ignore[override] # a redirect answers too
        self, _request: HttpRequest, _extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the page of everybody: that of Django would leave API tokens alive."""
        return redirect("account_change_password")

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Answer HEAD like GET, which leads those who are signed in to the admin."""
        if request.method == "HEAD":
            request.method = "GET"
        return super().login(request, extra_context)

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: type[ModelAdmin] | None = None,
        **options: Any,  # noqa: ANN401 - Django's signature
    ) -> None:
        """Register a page like Django, with `Noted` as its base class."""
        plain = admin_class or ModelAdmin
        noted = type(plain.__name__, (Noted, plain), {"__module__": plain.__module__})
        super().register(model_or_iterable, noted, **options)


def _noting(name: str, run: Action) -> Action:
    @wraps(run)
    def run_and_note(page: ModelAdmin, request: HttpRequest, queryset: QuerySet) -> Any:  # noqa: ANN401 - Django's signature
        with transaction.atomic():
            for row in queryset:
                _note(request, f"admin.{name}", row, "")
            return run(page, request, queryset)

    return run_and_note


def _note(request: HttpRequest, action: str, row: Model, message: str | Sequence[Any]) -> None:
    """Write to the staff log. `message` is Django's description of the changed fields."""
    with as_rows_keep_them():  # the names of Django's models are lazy
        target = f"{row._meta.verbose_name} {row}"  # noqa: SLF001 - Django's public way to a model
    where = getattr(row, "get_absolute_url", None)
    staff_log.note(
        by=cast("User", request.user),
        action=action,
        target=target,
        url=where() if where else "",
        details={"said": message} if message else None,
    )
