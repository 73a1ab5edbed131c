from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """The whole site is one Django app."""

    name = "arena"
    verbose_name = "Drapeau"
    default_auto_field = "django.db.models.BigAutoField"
