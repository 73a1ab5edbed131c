from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core import checks
from django.db.models.signals import post_migrate

from arena import further_games


class ArenaConfig(AppConfig):
    """The Django app of the whole site."""

    name = "arena"
    verbose_name = "Drapeau"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register interventions and checks, and let `migrate` create ladders of new variants."""
        from arena.domain.tournaments import interventions  # noqa: F401, PLC0415 - models are ready now
        from arena.server.connection_sums import warn_of_too_few_connections  # noqa: PLC0415 - as above

        post_migrate.connect(_seed_ladders, sender=self)
        checks.register(warn_of_https_without_proxies, checks.Tags.security)
        checks.register(refuse_broken_games)
        checks.register(warn_of_too_few_connections, checks.Tags.database)


class ArenaAdminConfig(AdminConfig):
    """Django's admin with our own site, which logs every action."""

    default_site = "arena.admin_site.NotedAdminSite"


def warn_of_https_without_proxies(**_: object) -> Sequence[checks.CheckMessage]:
    """Warn if the site should have HTTPS, but believes no proxy: it has no TLS of its own."""
    if not settings.HTTPS or settings.PROXIES:
        return []
    return [
        checks.Warning(
            "DRAPEAU_HTTPS is on and DRAPEAU_PROXIES is 0. The server has no TLS of its own and"
            " believes no proxy, so it takes every request as http: it sends no HSTS, and refuses"
            " forms unless DRAPEAU_CSRF_ORIGINS has its address.",
            hint="Set DRAPEAU_PROXIES to the number of proxies in front of the site, usually 1."
            " Without a proxy that ends TLS, remove DRAPEAU_HTTPS.",
            id="arena.W001",
        )
    ]


def refuse_broken_games(**_: object) -> Sequence[checks.CheckMessage]:
    """Return an error for each thing that is wrong with games of the installation's own."""
    return [checks.Error(text, id="arena.E001") for text in further_games.problems()]


def _seed_ladders(**_signal: object) -> None:
    from arena.domain.ladders import ladders  # noqa: PLC0415 - models are ready now
    from arena.domain.queue import health  # noqa: PLC0415 - models are ready now

    if not health.missing_migrations():  # otherwise some tables do not match the models
        ladders.seed()
