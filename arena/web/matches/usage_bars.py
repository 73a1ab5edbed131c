"""Measurements against their limits, as bars drawn on the server, with the numbers beside them."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.matches.forensics import Measurement

EXACT_BELOW_MS = 10.0  # below this, show tenths of a millisecond
SECONDS_FROM_MS = 10_000.0  # from here on, show seconds
NEAR = 0.9  # share of a limit that is worth a warning
KIB, MIB = 1024, 1024 * 1024
WIDTH = 100.0

_NAMES: dict[str, str | Promise] = {
    "charged": _("charged for this answer"),
    "wall": _("wall time"),
    "cpu": _("total processor time"),
    "memory": _("peak memory"),
    "answer": _("length of the response"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A measurement as text, with its picture; `level` is over, near or within the limit."""

    name: str
    value: str
    limit: str
    level: str
    svg: SafeString


def bar(measurement: Measurement) -> Bar:
    """Draw the bar of a measurement."""
    share = measurement.value / measurement.limit if measurement.limit else 0.0
    # If the share is above 1, a mark shows the limit.
    scale = max(1.0, share)
    used, limit = WIDTH * share / scale, WIDTH / scale
    return Bar(
        name=str(_NAMES[measurement.name]),
        value=amount(measurement.value, measurement.unit, of=measurement.limit),
        limit=amount(measurement.limit, measurement.unit),
        level="over" if share > 1 else "near" if share >= NEAR else "within",
        svg=format_html(
            '<svg class="gauge-bar" viewBox="0 0 100 8" preserveAspectRatio="none"'
            ' aria-hidden="true">'
            '<rect class="gauge-used" width="{}" height="8"></rect>'
            '<rect class="gauge-limit" x="{}" width="0.6" height="8"></rect></svg>',
            f"{max(used, 0.6):.2f}",
            f"{limit - 0.6:.2f}",
        ),
    )


def amount(value: float, unit: str, of: float = 0.0) -> str:
    """Return a number of `ms` or `bytes` as text, with the limit that it is part of."""
    if unit == "bytes":
        if value >= MIB:
            return f"{value / MIB:.1f} MiB".replace(".0 ", " ")
        if value >= 10 * KIB:
            return f"{value / KIB:.0f} KiB"
        return gettext("%(count)d bytes") % {"count": value}
    if value >= SECONDS_FROM_MS or (of >= SECONDS_FROM_MS and value >= 1000):  # noqa: PLR2004 - ms
        return gettext("%(count)s s") % {"count": f"{value / 1000:.1f}".removesuffix(".0")}
    digits = 1 if value < EXACT_BELOW_MS else 0
    return f"{value:.{digits}f} ms"


def score(share: float, *, low: float, high: float, expected: float | None) -> SafeString:
    """Draw a score from 0 to 1 with its interval, the 50 % mark, and the expected score."""
    mark = ""
    if expected is not None:
        mark = format_html(
            '<rect class="score-expected" x="{}" width="0.8" height="12"></rect>',
            f"{WIDTH * expected - 0.4:.2f}",
        )
    return format_html(
        '<svg class="score" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="score-track" y="4" width="100" height="4"></rect>'
        '<rect class="score-half" x="49.8" width="0.4" height="12"></rect>'
        '<rect class="score-interval" x="{}" y="3" width="{}" height="6"></rect>{}'
        '<rect class="score-point" x="{}" width="1.2" height="12"></rect></svg>',
        f"{WIDTH * low:.2f}",
        f"{WIDTH * (high - low):.2f}",
        mark,
        f"{WIDTH * share - 0.6:.2f}",
    )
