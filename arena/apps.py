from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class ArenaConfig(AppConfig):
    """The Django app of the whole site."""

    name = "arena"
    verbose_name = "Drapeau"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register interventions, and let `migrate` create the ladders of new variants."""
        from arena.domain.tournaments import interventions  # noqa: F401, PLC0415 - models are ready now

        post_migrate.connect(_seed_ladders, sender=self)


class ArenaAdminConfig(AdminConfig):
    """Django's admin with our own site, which logs every action."""

    default_site = "arena.admin_site.NotedAdminSite"


def _seed_ladders(**_signal: object) -> None:
    from arena.domain.ladders import ladders  # noqa: PLC0415 - models are ready now
    from arena.domain.queries import health  # noqa: PLC0415 - models are ready now

    if not health.missing_migrations():  # otherwise some tables do not match the models
        ladders.seed()
