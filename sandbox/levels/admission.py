"""Admission: below a container, only programs that the operator trusts may run."""

from dataclasses import dataclass, field

from sandbox.levels.isolation import Isolation
from sandbox.refusal import IsolationRefused


@dataclass(frozen=True, slots=True)
class Admission:
    """The digests that the operator trusts; `trust_all` means that the operator trusts all."""

    trusted: frozenset[str] = field(default_factory=frozenset)
    trust_all: bool = False

    def check(self, *, isolation: Isolation, seat: str, digest: str) -> None:
        """Raise `IsolationRefused` for a program that may not run at this level of isolation."""
        if isolation.safe or self.trust_all or digest in self.trusted:
            return
        raise IsolationRefused(
            f"the bot at {seat} was not run: bots here run at the level {isolation.kind!r}, which "
            "does not contain a stranger's program, and the operator does not trust this one. "
            "Start a Docker engine with the runtime image, or let the operator set "
            "DRAPEAU_TRUST_BOTS=1."
        )
