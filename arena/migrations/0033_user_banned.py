from django.db import migrations, models
from django.db.models import Q

from arena.management.live_indexes import AddLiveIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0032_webhooks")]

    operations = [
        AddLiveIndex(
            "user",
            models.Index(
                fields=["banned_at"], condition=Q(banned_at__isnull=False), name="user_banned"
            ),
        ),
    ]
