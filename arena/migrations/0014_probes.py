from django.db import migrations, models

KINDS = [
    ("ladder", "rated"),
    ("challenge", "challenge"),
    ("trial", "trial of a version"),
    ("probe", "probe of a version"),
    ("tournament", "tournament"),
]


class Migration(migrations.Migration):
    dependencies = [("arena", "0013_secrets")]

    operations = [
        migrations.AlterField(
            "Match",
            "kind",
            models.CharField(choices=KINDS, default="ladder", max_length=16, verbose_name="kind"),
        ),
    ]
