from django.db import models


class QueueShare(models.Model):
    """A ladder, a tournament or a kind of job, which has a fair share of the runners.

    `used_s` is its account of runner-seconds, and `begun_s` the account when its latest job was
    taken. `job_s` is how long a job of it is expected to take. `arena.domain.queue.scheduling` says
    how the accounts are kept. A lost account costs no more than a minute of fairness.
    """

    name = models.CharField(max_length=40, unique=True)
    used_s = models.FloatField(default=0.0)
    begun_s = models.FloatField(default=0.0)
    job_s = models.FloatField(default=10.0)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
