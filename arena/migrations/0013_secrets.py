import secrets
from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

import arena.models.chance

SECRET_BYTES = 32
SEED_BITS = 48
OPEN = ("created", "queued", "leased", "running", "retrying")
OVER = ("completed", "released", "cancelled")  # nothing of these tournaments is played any more
TRIAL_NEEDS_A_PAIR = Q(kind="trial", trial__isnull=False, trial_pair__isnull=False) | (
    ~Q(kind="trial") & Q(trial__isnull=True, trial_pair__isnull=True)
)


def give_secrets(apps: Apps, _schema_editor: object) -> None:
    """Create a secret for each match and each tournament that is not over.

    A tournament that is frozen keeps its `rng_seed`, which is public and has drawn lots already.
    """
    matches = apps.get_model("arena", "Match").objects.filter(status__in=OPEN)
    tournaments = apps.get_model("arena", "Tournament").objects.all()
    for rows in (matches, tournaments.exclude(status__in=OVER)):
        for pk in rows.values_list("pk", flat=True):
            rows.filter(pk=pk).update(secret=secrets.token_hex(SECRET_BYTES))
    tournaments.filter(frozen_at=None).exclude(status__in=OVER).update(rng_seed=None)


def number_pairs_of_trials(apps: Apps, _schema_editor: object) -> None:
    """Number each trial's comparisons. Matches with one `rng_seed` belonged together."""
    matches: Any = apps.get_model("arena", "Match").objects
    numbers: dict[tuple[int, int], int] = {}
    rows = matches.filter(kind="trial").order_by("trial", "pk")
    for pk, trial, rng_seed in list(rows.values_list("pk", "trial", "rng_seed")):
        number = numbers.setdefault((trial, rng_seed), len(numbers) + 1)
        matches.filter(pk=pk).update(trial_pair=number)


def give_rng_seeds(apps: Apps, _schema_editor: object) -> None:
    """Create an `rng_seed` for what an earlier release plays on, one for each trial pair."""
    matches: Any = apps.get_model("arena", "Match").objects
    of_pair: dict[tuple[int, int], int] = {}
    rows = matches.filter(Q(status__in=OPEN) | Q(kind="trial")).order_by("pk")
    for pk, trial, number in list(rows.values_list("pk", "trial", "trial_pair")):
        rng_seed = secrets.randbits(SEED_BITS)
        if trial is not None:
            rng_seed = of_pair.setdefault((trial, number), rng_seed)
        matches.filter(pk=pk).update(rng_seed=rng_seed)
    tournaments = apps.get_model("arena", "Tournament").objects.filter(rng_seed=None)
    for pk in list(tournaments.values_list("pk", flat=True)):
        tournaments.filter(pk=pk).update(rng_seed=secrets.randbits(SEED_BITS))


def settle(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Check foreign keys now: PostgreSQL alters no table with checks that are still to be made."""
    schema_editor.connection.check_constraints()


def nothing(_apps: Apps, _schema_editor: object) -> None:
    """Do nothing."""


class Migration(migrations.Migration):
    dependencies = [("arena", "0012_returns")]

    # A default in AddField would give all rows one secret, so the rows get theirs in between.
    operations = [
        *(
            migrations.AddField(
                name,
                "secret",
                models.CharField(blank=True, default="", editable=False, max_length=64),
            )
            for name in ("Match", "Tournament")
        ),
        migrations.AddField(
            "Match",
            "place",
            models.CharField(blank=True, default="", editable=False, max_length=80),
        ),
        migrations.AddField(
            "Game",
            "take",
            models.PositiveSmallIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            "Match",
            "trial_pair",
            models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            "Tournament",
            "rng_seed",
            models.BigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField("Match", "rng_seed", models.BigIntegerField(default=0, editable=False)),
        migrations.RunPython(nothing, settle),
        migrations.RunPython(give_secrets, give_rng_seeds),
        migrations.RunPython(number_pairs_of_trials, nothing),
        migrations.RunPython(settle, nothing),
        migrations.RemoveConstraint("Match", "match_of_a_trial"),
        migrations.AddConstraint(
            "Match",
            models.CheckConstraint(condition=TRIAL_NEEDS_A_PAIR, name="match_of_a_trial"),
        ),
        migrations.RemoveField("Match", "rng_seed"),
        *(
            migrations.AlterField(
                name,
                "secret",
                models.CharField(
                    blank=True,
                    default=arena.models.chance.new_secret,
                    editable=False,
                    max_length=64,
                ),
            )
            for name in ("Match", "Tournament")
        ),
    ]
