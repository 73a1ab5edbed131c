from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0015_isolation")]

    operations = [
        migrations.AddField("gamelog", name, field)
        for name, field in {
            "remarks": models.BinaryField(default=b"", db_default=b""),
            "belief_bits": models.FloatField(default=0.0, db_default=0.0),
            "belief_prior_bits": models.FloatField(default=0.0, db_default=0.0),
            "belief_pieces": models.PositiveIntegerField(default=0, db_default=0),
        }.items()
    ]
