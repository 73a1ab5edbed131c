"""The rows: what is measured, against what, and what the ratio is to reach.

A row of another kind needs no more than a function that measures both sides round by round.
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import compiled
from benchmarks.figures import Goal, Measured
from benchmarks.programs import PRODUCT, Program, plies_per_second, run

Measure = Callable[[int, float], Measured]  # rounds, and seconds of each side in a round

DARK_CHESS = Program("dark_chess")
STRATEGO = Program("stratego")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    goal: Goal
    measure: Measure


def ours(slug: str) -> Program:
    """Return the random play of a variant, in pure Python."""
    return Program("ours", (slug,))


def ours_compiled(slug: str) -> Program:
    """Return the same from the compiled wheel. Raise NotMeasured where that cannot be built."""
    return Program("ours", (slug,), before=(compiled.folder(),))


def environment(slug: str) -> Program:
    """Return random play in our environment of a variant, with tensors and masks."""
    return Program("environment", (slug,))


def side_by_side(one: Callable[[], Program], other: Program) -> Measure:
    """Measure two programs in turn, A B A B, by their plies per second."""

    def measure(rounds: int, seconds: float) -> Measured:
        first = one()
        pairs = [
            (plies_per_second(first, seconds), plies_per_second(other, seconds))
            for _ in range(rounds)
        ]
        return Measured("plies/s", [a for a, _ in pairs], [b for _, b in pairs])

    return measure


def in_one_run(module: str, *arguments: str, unit: str) -> Measure:
    """Let one program of the product's environment measure both sides, round by round."""
    program = Program(module, arguments, python=PRODUCT)

    def measure(rounds: int, seconds: float) -> Measured:
        told = run(program, "--rounds", str(rounds), "--seconds", str(seconds))
        return Measured(unit, told["ours"], told["theirs"])

    return measure


def trips(what: str, level: str, processors: int, *more: str) -> Measure:
    """Measure what a trip to a bot and back costs, everybody on one processor or on two."""
    return in_one_run("trips", level, what, str(processors), *more, unit="us/ply")


AGAINST_DARK_CHESS = Goal(first=0.5, aim=1.5)
AGAINST_STRATEGO = Goal(first=10, aim=30)
BESIDE_FORWARD = Goal(first=0.25, aim=0.5)
TENSORS_AGAINST_STRATEGO = Goal(first=0.5, aim=1)
BESIDE_PIPES = Goal(first=1.5, aim=1.2, less_is_better=True)
IN_DOCKER_BESIDE_PIPES = Goal(first=1.6, aim=1.2, less_is_better=True)
BESIDE_DOCKER_RUN = Goal(first=0.7, aim=0.1, less_is_better=True)
LIKE_DOCKER_RUN = Goal(first=1.5, aim=1, less_is_better=True)
OWN_FILES = Goal(first=3, aim=1, less_is_better=True)
GVISOR_BESIDE_PIPES = Goal(first=4, aim=2.5, less_is_better=True)
GVISOR_BESIDE_RUNC = Goal(first=5, aim=3, less_is_better=True)
BESIDE_LOCAL_RUNNER = Goal(first=0.6, aim=0.9)
AT_HOME = Goal(first=1.5, aim=1.2, less_is_better=True)
BESIDE_MOVES = Goal(first=2, aim=1.2, less_is_better=True)
BESIDE_NEAREST = Goal(first=0.8, aim=0.5, less_is_better=True)
AS_SMALL = Goal(first=2, aim=1.5, less_is_better=True)
UNDER_GVISOR = ("--runtime", "runsc")
KEPT_BUSY = Goal(first=0.95, aim=0.98)
FINISHED = Goal(first=1, aim=1.5)
NEVER = Goal(first=0, aim=0, less_is_better=True)

ROWS = (
    Row(
        "classic random play / OpenSpiel dark_chess",
        AGAINST_DARK_CHESS,
        side_by_side(lambda: ours("classic"), DARK_CHESS),
    ),
    Row(
        "classic random play / TextArena Stratego",
        AGAINST_STRATEGO,
        side_by_side(lambda: ours("classic"), STRATEGO),
    ),
    Row(
        "the same, compiled / OpenSpiel dark_chess",
        AGAINST_DARK_CHESS,
        side_by_side(lambda: ours_compiled("classic"), DARK_CHESS),
    ),
    Row(
        "the same, compiled / TextArena Stratego",
        AGAINST_STRATEGO,
        side_by_side(lambda: ours_compiled("classic"), STRATEGO),
    ),
    Row(
        "classic in a world of a bot, forward and back / the engine forward",
        BESIDE_FORWARD,
        in_one_run("worlds", unit="plies/s"),
    ),
    Row(
        "classic environment, tensors and masks / TextArena Stratego",
        TENSORS_AGAINST_STRATEGO,
        side_by_side(lambda: environment("classic"), STRATEGO),
    ),
    Row(
        "referee and channel, process players, one processor / bare pipes",
        BESIDE_PIPES,
        trips("referee", "process", 1),
    ),
    Row(
        "referee and channel, process players, two processors / bare pipes",
        BESIDE_PIPES,
        trips("referee", "process", 2),
    ),
    Row(
        "channel alone, process players, one processor / bare pipes",
        BESIDE_PIPES,
        trips("channel", "process", 1),
    ),
    Row(
        "channel alone, process players, two processors / bare pipes",
        BESIDE_PIPES,
        trips("channel", "process", 2),
    ),
    Row(
        "referee and channel, Docker players, one processor / bare pipes",
        IN_DOCKER_BESIDE_PIPES,
        trips("referee", "docker", 1),
    ),
    Row(
        "referee and channel, Docker players, two processors / bare pipes",
        IN_DOCKER_BESIDE_PIPES,
        trips("referee", "docker", 2),
    ),
    Row(
        "channel alone, Docker players, one processor / bare pipes",
        IN_DOCKER_BESIDE_PIPES,
        trips("channel", "docker", 1),
    ),
    Row(
        "channel alone, Docker players, two processors / bare pipes",
        IN_DOCKER_BESIDE_PIPES,
        trips("channel", "docker", 2),
    ),
    Row(
        "start of a match of two bots in Docker / two docker run",
        BESIDE_DOCKER_RUN,
        in_one_run("starts", unit="ms"),
    ),
    Row(
        "the same, no container waiting / two docker run",
        LIKE_DOCKER_RUN,
        in_one_run("starts", "--warm", "0", unit="ms"),
    ),
    Row(
        "memory charged to a Python bot in its container / memory of a plain one",
        OWN_FILES,
        in_one_run("slots", unit="MiB"),
    ),
    Row(
        "referee and channel, gVisor players, one processor / bare pipes",
        GVISOR_BESIDE_PIPES,
        trips("referee", "docker", 1, *UNDER_GVISOR),
    ),
    Row(
        "referee and channel, gVisor players, two processors / bare pipes",
        GVISOR_BESIDE_PIPES,
        trips("referee", "docker", 2, *UNDER_GVISOR),
    ),
    Row(
        "channel alone, gVisor players, one processor / runc players",
        GVISOR_BESIDE_RUNC,
        trips("channel", "docker", 1, *UNDER_GVISOR, "--beside", "runc"),
    ),
    Row(
        "channel alone, gVisor players, two processors / runc players",
        GVISOR_BESIDE_RUNC,
        trips("channel", "docker", 2, *UNDER_GVISOR, "--beside", "runc"),
    ),
    Row(
        "CPU time charged for a ply, gVisor players / runc players",
        GVISOR_BESIDE_RUNC,
        in_one_run("charges", *UNDER_GVISOR, unit="us/ply"),
    ),
    Row(
        "start of a match of two bots under gVisor / under runc",
        GVISOR_BESIDE_RUNC,
        in_one_run("starts", *UNDER_GVISOR, unit="ms"),
    ),
    Row(
        "the same without containers that wait, under gVisor / under runc",
        GVISOR_BESIDE_RUNC,
        in_one_run("starts", *UNDER_GVISOR, "--warm", "0", unit="ms"),
    ),
    Row(
        "a game at home between copies of marshal / the CPU time of the bots",
        AT_HOME,
        in_one_run("home", "marshal", unit="ms"),
    ),
    *(
        Row(
            f"matches on the ladder, end to end, {slots} slots / the same by local runners",
            BESIDE_LOCAL_RUNNER,
            in_one_run("ladder", "--slots", str(slots), unit="matches/min"),
        )
        for slots in (2, 8)
    ),
    Row(
        "record of a game of 1000 plies / its moves as text under gzip",
        BESIDE_MOVES,
        in_one_run("records", unit="bytes"),
    ),
    Row(
        "games until the ranking of 32 bots is right, by the number / nearest rating, plain Elo",
        BESIDE_NEAREST,
        in_one_run("rankings", "number", unit="games"),
    ),
    Row(
        "games until the ranking of 32 bots is right, by the estimate / nearest rating, plain Elo",
        BESIDE_NEAREST,
        in_one_run("rankings", "estimate", unit="games"),
    ),
    Row(
        "fit of the ratings of 100,000 bots / of 1,000 bots, by match",
        AS_SMALL,
        in_one_run("fits", unit="ms"),
    ),
    Row(
        "slots of a simulated fleet of 1,000 that play, matches of 40 s / all slots",
        KEPT_BUSY,
        in_one_run("fleet", unit="slots"),
    ),
    Row(
        "the same fleet, 100 matches a second / all slots",
        KEPT_BUSY,
        in_one_run("fleet", "--match-s", "10", unit="slots"),
    ),
    Row(
        "matches a second that 4 runners finish on one ladder of 5,000 bots / 100",
        FINISHED,
        in_one_run("finishes", unit="matches/s"),
    ),
    Row(
        "results flipped by neighbours that burn every core / all results",
        NEVER,
        in_one_run("neighbours", unit="games"),
    ),
)
