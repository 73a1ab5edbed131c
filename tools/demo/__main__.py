"""A whole arena on this machine: house bots are uploaded, play for Elo and in a tournament."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from arena.embedded import site
from arena.embedded.interrupts import end_as_ctrl_c_does
from arena.embedded.isolation import lacks_only_the_image
from arena.embedded.refusal import StartFailed
from arena.embedded.supervise import GaveUp
from tools.demo import cups, play
from tools.demo.developers import accounts
from tools.demo.refusal import DemoFailed
from tools.services.packages import FOR_IMAGES, Missing, install

ROOT = Path(__file__).resolve().parents[2]
INTERRUPTED = 130  # what a shell gives for a program that Ctrl-C ended


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make demo ARGS='...'", description=__doc__)
    parser.add_argument(
        "--exit", action="store_true", help="end when leaderboards and standings are shown"
    )
    parser.add_argument("--port", type=int, default=8000, help="where the site listens (8000)")
    parser.add_argument(
        "--data", type=Path, default=ROOT / "var" / "demo", help="its folder (var/demo)"
    )
    parser.add_argument(
        "--isolation",
        choices=("auto", "docker", "bubblewrap", "process"),
        default="auto",
        help="how bots are contained; auto takes the strongest that works here",
    )
    parser.add_argument(
        "--trust-bots",
        action="store_true",
        help="run every uploaded bot even where the isolation is unsafe",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=20,
        metavar="N",
        help="rated games of each bot on a ladder (20)",
    )
    parser.add_argument(
        "--timeout", type=int, default=1800, metavar="S", help="longest wait for the games (1800)"
    )
    return parser.parse_args()


def demo(given: argparse.Namespace, console: Console) -> int:
    """Run it all and give the exit status."""

    def say(sentence: str) -> None:
        console.print(sentence, markup=False, highlight=False)

    options = site.SiteOptions(
        given.data.absolute(), given.port, isolation=given.isolation, trust_bots=given.trust_bots
    )
    if given.isolation in ("auto", "docker") and lacks_only_the_image():
        try:
            install(FOR_IMAGES)
        except Missing as what:
            say(f"The image that bots run in may not be built: {what}")
    with site.running(options, say) as running:
        say(f"The site is up at {running.url}; logs are in {options.logs}")
        stage = play.Stage(running.url, console, running.check)
        houses = [play.House.read(ROOT / "bots" / slug) for slug in play.HOUSE_BOTS]
        owners = accounts(
            options.data_dir / "developers.json", {house.slug: house.variants for house in houses}
        )
        stage.console.print("[bold]Developers[/bold]")
        entered = [play.enter(stage, house, owners[house.slug]) for house in houses]
        play.wait_until_validated(stage, entered)
        played = play.boards(stage, entered)
        play.wait_for_games(stage, played, given.games, within_s=given.timeout)
        play.show_leaderboards(stage, played)
        stage.console.print("[bold]Tournament[/bold]")
        board = min(played, key=lambda board: board.ladder)
        cup = cups.round_robin(board.ladder, [f"{owner}/{slug}" for owner, slug in board.bots])
        cups.begin(stage, cup, owners["drunkard"])
        cups.wait_until_over(stage, [cup], within_s=given.timeout)
        cups.show_standings(stage, cup)
        if not given.exit:
            console.print(f"[bold]{running.url}[/bold] is ready. Ctrl-C stops it.")
            running.serve(say)
    return 0


def main() -> int:
    given = arguments()
    console, errors = Console(soft_wrap=True), Console(soft_wrap=True, stderr=True)
    end_as_ctrl_c_does()
    try:
        return demo(given, console)
    except (DemoFailed, StartFailed) as problem:
        errors.print(f"demo: {problem}", style="red", markup=False, highlight=False)
    except GaveUp as problem:
        errors.print(problem.program.tail(), markup=False, highlight=False)
        errors.print(f"demo: {problem}", style="red", markup=False, highlight=False)
    except KeyboardInterrupt:
        errors.print("\nInterrupted. Nothing is lost: the next start continues from here.")
        return INTERRUPTED
    return 1


if __name__ == "__main__":
    sys.exit(main())
