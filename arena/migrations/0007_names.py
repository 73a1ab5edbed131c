from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("arena", "0006_tournaments")]

    operations = [
        migrations.RenameModel("Lane", "QueueShare"),
        migrations.RenameField("Bot", "tries_versions_first", "gate_new_versions"),
        migrations.RenameField("Entrant", "held_until_s", "deferred_until_s"),
        migrations.RenameField("Pairing", "goes_on", "advancing_position"),
    ]
