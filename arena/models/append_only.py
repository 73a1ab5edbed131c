from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from django.db import models

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class AppendOnly(Exception):
    """A row of this kind must not be changed or deleted."""


class AppendOnlyQuerySet(models.QuerySet[Row_co]):
    """Rows that can be read and added."""

    def update(self, **_fields: Any) -> NoReturn:  # noqa: ANN401 - Django's signature
        """Raise AppendOnly."""
        raise AppendOnly(f"{self.model.__name__} rows are never changed.")

    def bulk_create(self, objs: Iterable[Row_co], **options: Any) -> list[Row_co]:  # type: ignore[override] # noqa: ANN401 - of Django's
        """Add rows. Raise AppendOnly for an option that would change existing rows."""
        if options.get("update_conflicts"):
            raise AppendOnly(f"{self.model.__name__} rows are never changed.")
        return super().bulk_create(objs, **options)

    def delete(self) -> NoReturn:
        """Raise AppendOnly."""
        raise AppendOnly(f"{self.model.__name__} rows are never deleted.")


class AppendOnlyModel(models.Model):
    """A row that is written once."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        """Add the row.

        Raise AppendOnly for an existing row, and IntegrityError if its key is taken, where Django
        would otherwise change the row with that key.
        """
        if not self._state.adding:
            raise AppendOnly(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:  # noqa: ANN401 - Django's signature
        """Raise AppendOnly."""
        raise AppendOnly(f"{type(self).__name__} rows are never deleted.")
