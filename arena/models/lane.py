from django.db import models


class Lane(models.Model):
    """One of the queues that share the runners: a ladder, the checks of versions, challenges, ...

    `used_s` is its account of runner-seconds and `begun_s` what stood on it when its latest job was
    taken; `job_s` is what a job of it is expected to take. `arena.domain.queue.scheduling` says how
    the accounts are kept; losing one loses no more than the fairness of a minute.
    """

    name = models.CharField(max_length=40, unique=True)
    used_s = models.FloatField(default=0.0)
    begun_s = models.FloatField(default=0.0)
    job_s = models.FloatField(default=10.0)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
