"""How games end, in words, for the site and for authors of bots at home.

The keys are values of `engine.outcome.Termination`. What the rules decide is in
`engine.registry.endings`. The site translates the texts: it collects them by the mark `_`
(`python -m tools.messages`) and looks them up in `arena.texts.matches`.
"""

import re
from collections.abc import Mapping


def _(text: str) -> str:
    """Mark a text for translation."""
    return text


# How a game ended by the fault of a seat, alone and with the detail.
FAULTS: Mapping[str, str] = {
    "illegal_action": _("%(loser)s made an illegal move."),
    "illegal_deployment": _("%(loser)s set up illegally."),
    "timeout": _("%(loser)s ran out of time."),
    "startup_timeout": _("%(loser)s did not start in time."),
    "crash": _("%(loser)s crashed."),
    "memory_limit": _("%(loser)s used too much memory."),
    "output_limit": _("%(loser)s wrote too much output."),
    "protocol_error": _("%(loser)s broke the protocol."),
}
DETAILED_FAULTS: Mapping[str, str] = {
    "illegal_action": _("%(loser)s made an illegal move: %(detail)s"),
    "illegal_deployment": _("%(loser)s set up illegally: %(detail)s"),
    "timeout": _("%(loser)s ran out of time: %(detail)s"),
    "startup_timeout": _("%(loser)s did not start in time: %(detail)s"),
    "crash": _("%(loser)s crashed: %(detail)s"),
    "memory_limit": _("%(loser)s used too much memory: %(detail)s"),
    "output_limit": _("%(loser)s wrote too much output: %(detail)s"),
    "protocol_error": _("%(loser)s broke the protocol: %(detail)s"),
}


def told(termination: str, *, fault: str, loser: str, detail: str) -> str:
    """Return a sentence about the fault of a seat, as the site's page about the game says it."""
    alone = detail.removeprefix(f"{fault}: ").removeprefix("illegal: ")
    kinds = DETAILED_FAULTS if alone else FAULTS
    return kinds[termination] % {"loser": loser, "detail": alone}


def told_of_each(
    termination: str, *, fault: str, names: Mapping[str, str], detail: str
) -> dict[str, str]:
    """Return a sentence about the fault of each seat that failed; `names` are those of all seats.

    The termination is of the first seat, `fault`, alone. The detail says what each did.
    """
    first, *others = re.split(rf"; (?=(?:{'|'.join(names)}): )", detail)
    sentences = {fault: told(termination, fault=fault, loser=names[fault], detail=first)}
    for other in others:
        seat, _, why = other.partition(": ")
        sentences[seat] = f"{names[seat]} failed too: {why.removeprefix('illegal: ')}"
    return sentences
