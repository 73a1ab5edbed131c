"""How games end, in words, for the site and for authors of bots at home.

The keys are values of `engine.outcome.Termination`. The site translates the texts: it collects them
here by the mark `_` (`python -m tools.messages`) and looks them up in `arena.texts.matches`.
"""

from collections.abc import Mapping


def _(text: str) -> str:
    """Mark a text for translation."""
    return text


# How a game ended by its rules: as a choice in a list, and in a sentence.
BY_RULES: Mapping[str, str] = {
    "flag_captured": _("Flag captured"),
    "no_moves": _("No legal move"),
    "both_immobile": _("Both sides immobile"),
    "no_attackers": _("No attackers left"),
    "fort_entered": _("Fort entered"),
    "garrison_blocked": _("Garrison blocked"),
    "besiegers_destroyed": _("Besiegers destroyed"),
    "soldier_in_fort": _("Soldiers stuck in the fort"),
    "ply_cap": _("Last ply reached"),
    "turn_cap": _("Last turn reached"),
    "no_attack_cap": _("No attack for too long"),
    "no_progress_cap": _("No progress for too long"),
    "resigned": _("Resignation"),
}
ENDINGS: Mapping[str, str] = {
    "flag_captured": _("%(winner)s captured the flag."),
    "no_moves": _("%(loser)s could not move, so %(winner)s wins."),
    "both_immobile": _("Draw: neither side could move."),
    "no_attackers": _("%(loser)s had no piece left that can attack, so %(winner)s wins."),
    "fort_entered": _("%(winner)s brought enough soldiers into the fort."),
    "garrison_blocked": _("%(winner)s blocked %(loser)s, who could not move."),
    "besiegers_destroyed": _("%(winner)s broke the siege: %(loser)s had too few soldiers left."),
    "soldier_in_fort": _(
        "Draw: the soldiers in the fort cannot be captured, and the others are gone."
    ),
    "ply_cap": _("Draw: the game reached its last ply."),
    "turn_cap": _("Draw: the game reached its last turn."),
    "no_attack_cap": _("Draw: nobody attacked for too long."),
    "no_progress_cap": _("Draw: there was no progress for too long."),
    "resigned": _("Draw: both sides resigned."),
}
# The same where there is a winner.
DECIDED: Mapping[str, str] = {
    "ply_cap": _("A win by progress for %(winner)s: the game reached its last ply."),
    "no_progress_cap": _(
        "A win by progress for %(winner)s: nothing was captured and nobody entered for too long."
    ),
    "resigned": _("%(loser)s resigned, so %(winner)s wins."),
}

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
