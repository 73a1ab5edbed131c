from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.webhooks import webhooks
from arena.models import DeliveryStatus, Webhook
from arena.web.forms import WebhookForm, attempt, submitted
from arena.web.viewer import SignedIn

DELIVERIES_SHOWN = 50


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_list(request: SignedIn) -> HttpResponse:
    """List the visitor's webhooks; add one and show its secret once, in this response only."""
    form = WebhookForm(request.POST if request.method == "POST" else None)
    site = request.build_absolute_uri("/").rstrip("/")
    added = submitted(
        form, lambda: webhooks.create(user=request.user, **form.cleaned_data, site=site)
    )
    context = {"form": form, "webhooks": webhooks.of(user=request.user)}
    if added:
        hook, secret = added
        context |= {"form": WebhookForm(), "added": hook, "secret": secret}
    return render(request, "webhooks/list.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: SignedIn, public_id: str) -> HttpResponse:
    """Show a webhook of the visitor with its deliveries, and change it."""
    hook = _find(request, public_id)
    values = {"receiver": hook.receiver, "events": hook.events}
    form = WebhookForm(request.POST if request.method == "POST" else None, initial=values)
    if submitted(form, lambda: webhooks.change(webhook=hook, **form.cleaned_data)):
        messages.success(request, _("The webhook is changed."))
        return redirect(hook)
    return _shown(request, hook, form=form)


@never_cache
@login_required
@require_POST
def rotate(request: SignedIn, public_id: str) -> HttpResponse:
    """Rotate the secret of a webhook, and show the new one in this response only."""
    hook = _find(request, public_id)
    return _shown(request, hook, secret=webhooks.rotate(webhook=hook))


@login_required
@require_POST
def switch(request: SignedIn, public_id: str) -> HttpResponse:
    """Switch a webhook on, or off if it is on."""
    hook = _find(request, public_id)
    if hook.is_on:
        webhooks.switch_off(webhook=hook)
        messages.success(request, _("The webhook is off. Nothing is sent to it."))
    else:
        webhooks.switch_on(webhook=hook)
        messages.success(request, _("The webhook is on. It is told of what happens from now on."))
    return redirect(hook)


@login_required
@require_POST
def test(request: SignedIn, public_id: str) -> HttpResponse:
    """Send a test to a webhook."""
    hook = _find(request, public_id)
    done = _("The test is on its way. The list of deliveries shows its result.")
    attempt(request, done, lambda: webhooks.test(webhook=hook))
    return redirect(hook)


@login_required
@require_POST
def delete(request: SignedIn, public_id: str) -> HttpResponse:
    """Delete a webhook with its deliveries."""
    _find(request, public_id).delete()
    messages.success(request, _("The webhook is deleted."))
    return redirect("webhooks")


@login_required
@require_POST
def send_again(request: SignedIn, public_id: str, delivery_id: str) -> HttpResponse:
    """Send a delivery of a webhook again."""
    hook = _find(request, public_id)
    row = get_object_or_404(hook.deliveries.select_related("webhook"), public_id=delivery_id)
    done = _("It is sent again. The list of deliveries shows the result.")
    attempt(request, done, lambda: webhooks.send_again(delivery=row))
    return redirect(hook)


@never_cache
@login_required
@require_safe
def deliveries(request: SignedIn, public_id: str) -> HttpResponse:
    """Show the deliveries of a webhook alone, for a page that waits for a result."""
    return render(request, "webhooks/_deliveries.html", _log(_find(request, public_id)))


def _find(request: SignedIn, public_id: str) -> Webhook:
    return get_object_or_404(webhooks.of(user=request.user), public_id=public_id)


def _log(hook: Webhook) -> dict[str, object]:
    """Return the latest deliveries. The page asks again while one waits for its first attempt."""
    rows = list(hook.deliveries.order_by("-pk")[:DELIVERIES_SHOWN])
    polling = any(row.status == DeliveryStatus.WAITING and not row.attempt for row in rows)
    return {"webhook": hook, "deliveries": rows, "polling": polling and hook.is_on}


def _shown(
    request: SignedIn, hook: Webhook, *, form: WebhookForm | None = None, secret: str = ""
) -> HttpResponse:
    form = form or WebhookForm(initial={"receiver": hook.receiver, "events": hook.events})
    context = {**_log(hook), "form": form, "secret": secret}
    return render(request, "webhooks/detail.html", context)
