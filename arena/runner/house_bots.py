"""The bots that ship with Drapeau: the only ones that an unsafe level of isolation runs unasked.

For the runner only: it reads folders through `sandbox`.
"""

from functools import cache
from pathlib import Path

from django.conf import settings

from sandbox.levels.admission import Admission
from sandbox.uploads import package


def admission() -> Admission:
    """Return who may run here: house bots by digest, and everybody if the operator allows it."""
    return Admission(trusted=digests(), trust_all=settings.TRUST_BOTS)


def digests() -> frozenset[str]:
    """Return the digests of the folders under `bots/`, each as it would be after an upload.

    Those of rehearsals are among them: tournaments are rehearsed with nobody else's programs.
    """
    return _digests(Path(settings.HOUSE_BOTS_DIR))


@cache
def _digests(folder: Path) -> frozenset[str]:
    return frozenset(
        package.unpack(package.pack(manifest.parent), f"{manifest.parent.name}.zip").digest
        for pattern in ("*/drapeau.toml", "rehearsal/*/drapeau.toml")
        for manifest in sorted(folder.glob(pattern))
    )
