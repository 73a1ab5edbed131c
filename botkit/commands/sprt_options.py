"""What `bench` lets its user choose of the test and the openings, and what it says of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from botkit.bench import Bench, Plan
from botkit.commands.records import given_options
from botkit.openings import read_openings
from botkit.sprt import ERROR, NELO1_MAX, SprtResult, Verdict

VERDICTS = {
    Verdict.BETTER: "{name} is better than {opponent}.",
    Verdict.WORSE: "{name} is worse than {opponent}.",
    Verdict.LEVEL: "A difference of {elo1:g} normalized Elo or more is unlikely.",
    None: "It is not yet known which bot is better.",
}
BOUNDED = {  # with --elo0 and --elo1
    Verdict.BETTER: "H1 is accepted: {name} is ahead by {elo1:g} normalized Elo or more.",
    Verdict.WORSE: "H0 is accepted: {name} is ahead by {elo0:g} normalized Elo or less.",
    None: "Neither H0 nor H1 is accepted yet.",
}
ON_TIME = (
    "This verdict rests on losses on time: without them there would be another one, or none. Play "
    "fewer games at a time (-j), or with a longer --clock."
)


def sprt_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that `with_choices` takes to a command."""
    elo = click.FloatRange(-NELO1_MAX, NELO1_MAX)
    error = click.FloatRange(0, 0.5, min_open=True, max_open=True)
    for option in (
        click.option(
            "--openings",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="A file with the set-ups of the seats, an opening in each line.",
        ),
        click.option("--beta", type=error, help=f"How often H0 may be wrong: by default {ERROR}."),
        click.option("--alpha", type=error, help=f"How often H1 may be wrong: by default {ERROR}."),
        click.option("--elo1", type=elo, help="Its H1, in normalized Elo."),
        click.option("--elo0", type=elo, help="H0 of one SPRT as in fastchess."),
    ):
        command = option(command)
    return command


def with_choices(
    plan: Plan,
    *,
    elo0: float | None,
    elo1: float | None,
    alpha: float | None,
    beta: float | None,
    openings: Path | None,
) -> Plan:
    """Return a plan with what the options choose. Raise UsageError, and BadOpenings."""
    if (elo0 is None) != (elo1 is None):
        raise click.UsageError("--elo0 and --elo1 belong together: give both")
    if plan.margin is None and {elo0, alpha, beta} != {None}:
        of_test = "--elo0, --elo1, --alpha and --beta are of a test"
        raise click.UsageError(f"{of_test}: name one opponent, without --all")
    if elo0 is not None and elo1 is not None:
        if "--margin" in given_options(click.get_current_context()):
            raise click.UsageError("--margin does not go with --elo0 and --elo1")
        if elo0 >= elo1:
            raise click.UsageError("--elo0 must be below --elo1")
        plan = replace(plan, margin=elo1, nelo0=elo0)
    return replace(
        plan,
        alpha=alpha or ERROR,
        beta=beta or ERROR,
        openings=() if openings is None else read_openings(openings),
    )


def told_of_test(bench: Bench, test: SprtResult) -> Iterator[str]:
    """Yield what the test has found, sentence by sentence."""
    design, bounds = test.design, f"{test.design.lower:.2f} and {test.design.upper:.2f}"
    if design.nelo0 is None:
        yield (
            f"SPRT, {design.nelo1:g} normalized Elo: the LLR of better is {test.llr_better:.2f}, "
            f"of worse {test.llr_worse:.2f}; the bounds are {bounds}."
        )
    else:
        yield (
            f"SPRT, H0 {design.nelo0:g} and H1 {design.nelo1:g} normalized Elo: the LLR is "
            f"{test.llr_better:.2f}; the bounds are {bounds}."
        )
    yield (VERDICTS if design.nelo0 is None else BOUNDED)[test.verdict].format(
        name=bench.names[0],
        opponent=bench.meetings[0].opponent,
        elo0=design.nelo0,
        elo1=design.nelo1,
    )
    if bench.rests_on_time:
        yield ON_TIME
