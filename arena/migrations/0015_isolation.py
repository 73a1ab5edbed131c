from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0014_probes")]

    operations = [
        migrations.AlterField(
            model,
            "isolation",
            models.CharField(blank=True, default="", max_length=80, verbose_name="isolation"),
        )
        for model in ("game", "version")
    ]
