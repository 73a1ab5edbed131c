from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ArenaConfig(AppConfig):
    """The whole site is one Django app."""

    name = "arena"
    verbose_name = "Drapeau"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have `migrate` make the ladders of variants that came with this release."""
        post_migrate.connect(_seed_ladders, sender=self)


def _seed_ladders(**_signal: object) -> None:
    from arena.domain import health, ladders  # noqa: PLC0415 - models can be imported only by now

    if not health.missing_migrations():  # else some tables are not what the models say
        ladders.seed()
