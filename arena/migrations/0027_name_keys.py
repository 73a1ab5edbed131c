from django.db import migrations, models

from arena.management.live_indexes import AddLiveIndex
from arena.models.name_key import NameKey


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0026_signal_report")]

    operations = [
        AddLiveIndex("bot", models.Index(NameKey("slug"), "id", name="bot_slug_key")),
        AddLiveIndex("bot", models.Index(NameKey("name"), "id", name="bot_name_key")),
        AddLiveIndex("user", models.Index(NameKey("username"), "id", name="user_name_key")),
    ]
