"""Is it as the hostile bot's file says, and was its victim left alone?"""

import json

from engine.outcome import FAULTS
from sandbox.launcher.oci_runtime import has_own_kernel
from tests.sandbox.attack.cases import PLAYS, Case
from tests.sandbox.attack.match import Fought

DEATH_MS = 5000  # it takes 10 to 20 on an idle machine, some hundreds after a fork bomb
VICTIM_CPU_MS = (5, 30)  # it burns 5 ms for each answer
LOSS = {"red": 0.0, "blue": 1.0}


def complaints(case: Case, fought: Fought) -> list[str]:
    """Name all that is not as it should be."""
    case = case.under(fought.oci_runtime)
    found = [*_of_the_verdict(case, fought), *_of_the_victim(fought)]
    found += [f"{kind} left: {left}" for kind, left in fought.left.items() if left]
    in_a_container = fought.record.isolation.startswith("docker")
    if in_a_container and not (fought.death_ms or DEATH_MS) < DEATH_MS:
        found.append(f"its container died after {fought.death_ms} ms")
    return found


def _of_the_verdict(case: Case, fought: Fought) -> list[str]:
    result = fought.result
    seen = f"{result.termination}: {result.detail}; its log: {fought.log[-500:]!r}"
    wanted = case.verdict.split(" or ")
    if PLAYS in wanted and result.fault is None:
        return [] if result.termination not in FAULTS and fought.log == case.detail else [seen]
    right = (
        result.fault == "red"
        and result.points == LOSS
        and result.termination in wanted
        and case.detail in result.detail
    )
    return [] if right else [seen]


def _of_the_victim(fought: Fought) -> list[str]:
    """Hold that its answers arrived as it sent them, and what it was charged for them."""
    said = [json.loads(line)["action"] for line in fought.victim_log.splitlines()]
    answers = [each for each in fought.record.actions if each.seat == "blue"]
    found = []
    if said != [each.action for each in answers]:
        found.append(f"the victim said {said} and is recorded with {answers}")
    burns = not has_own_kernel(fought.oci_runtime)
    if burns and fought.record.clock["basis"] == "cpu":
        least, most = VICTIM_CPU_MS
        wrong = [each for each in answers if not least <= each.charged_ms <= most]
        found += [f"the victim was charged {each.charged_ms} ms" for each in wrong]
    return found
