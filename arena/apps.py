from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class ArenaConfig(AppConfig):
    """The whole site is one Django app."""

    name = "arena"
    verbose_name = "Drapeau"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register interventions; have `migrate` make the ladders of variants of this release."""
        from arena.domain.tournaments import interventions  # noqa: F401, PLC0415 - likewise

        post_migrate.connect(_seed_ladders, sender=self)


class ArenaAdminConfig(AdminConfig):
    """Django's admin with a site of our own, that writes down what is done in it."""

    default_site = "arena.admin_site.NotedAdminSite"


def _seed_ladders(**_signal: object) -> None:
    from arena.domain.ladders import ladders  # noqa: PLC0415 - models can be imported only by now
    from arena.domain.queries import health  # noqa: PLC0415 - models can be imported only by now

    if not health.missing_migrations():  # else some tables are not what the models say
        ladders.seed()
