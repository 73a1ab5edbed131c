from django.db import migrations, models

KINDS = [
    ('version_rejected', 'a version of yours is rejected by its checks'),
    ('version_paused', 'a bot of yours is paused after a streak of forfeits'),
    ('game_forfeited', 'a version of yours forfeits a rated game; at most once a day for each version'),
    ('tournament_started', 'a tournament begins in which your bot plays'),
    ('tournament_over', 'a tournament is over in which your bot played'),
]


class Migration(migrations.Migration):

    dependencies = [
        ('arena', '0003_programs_play_from_home'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='closes_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='closes'),
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='kind',
            field=models.CharField(choices=KINDS, max_length=30),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(blank=True, choices=KINDS, db_default='', default='', max_length=30),
        ),
    ]
