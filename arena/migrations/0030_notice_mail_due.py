from django.db import migrations, models
from django.db.models import Q

from arena.management.live_indexes import AddLiveIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0029_mail_of_notices")]

    operations = [
        AddLiveIndex(
            "notice",
            models.Index(
                fields=["created_at"],
                condition=Q(mail_decided_at=None) & ~Q(kind=""),
                name="notice_mail_due",
            ),
        ),
    ]
