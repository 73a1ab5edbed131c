"""Explanations of abnormal ends: what happened, the usual cause, and what to do next."""

from arena.domain.matches import evidence
from arena.models import GameEvidence
from arena.texts import matches as texts
from arena.texts.matches import Meaning
from engine.outcome import Termination


def of(termination: Termination | None) -> Meaning:
    """Explain an abnormal end; None means that a seat failed at the same time as another seat."""
    return texts.ALONGSIDE if termination is None else texts.MEANINGS[termination]


def end_of(row: GameEvidence) -> tuple[str, str]:
    """Return how the program ended and what that means; the meaning may be empty."""
    ending = evidence.end_of(row=row)
    if row.signal is not None:
        return ending, str(texts.SIGNALS.get(row.signal, ""))
    if row.exit_status is not None:
        return ending, str(texts.STATUSES.get(row.exit_status, texts.OWN_STATUS))
    return ending, str(texts.UNTIL_THE_END)
