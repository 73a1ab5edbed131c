from django.apps import apps
from django.db.models.signals import post_migrate
from django.dispatch import receiver


@receiver(post_migrate)
def seed_ladders_again(sender, **_):
    """Bring the standard ladders back when a transactional test has emptied the tables."""
    if sender.name == "arena" and apps.ready:
        from arena.domain import ladders  # noqa: PLC0415 - Django is set up by now, not before

        ladders.seed()
