"""A whole arena on this machine: house bots are uploaded, play for Elo and in a tournament."""

import argparse
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from rich.console import Console

from tools import wheels
from tools.demo import cups, play, site
from tools.demo.api import Account
from tools.demo.developers import accounts
from tools.demo.isolation import settle
from tools.demo.refusal import DemoFailed
from tools.supervise import POLL_S, GaveUp, Supervisor

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
        "--games", type=int, default=5, metavar="N", help="rated games for each opponent (5)"
    )
    parser.add_argument(
        "--timeout", type=int, default=1800, metavar="S", help="longest wait for the games (1800)"
    )
    return parser.parse_args()


def demo(given: argparse.Namespace, console: Console) -> int:
    """Run it all and give the exit status."""
    data_dir: Path = given.data.absolute()
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    url = site.url_of(given.port)
    with site.only_one(data_dir, url), site.take_port(given.port) as listener:
        if site.end_the_dead_ones_children(data_dir):
            console.print("Ended what a killed demo had left running.")
        isolation = settle(given.isolation, data_dir / "logs" / "image.log")
        console.print(f"Isolation: {isolation.reason}", markup=False, highlight=False)
        env = site.environment(data_dir, isolation=isolation.kind, trust_bots=given.trust_bots)
        site.migrate(data_dir, env)
        wheels.build(data_dir / "wheels")
        mark = site.mark_of(data_dir)
        with site.nothing_left(data_dir, isolation), Supervisor(mark) as supervisor:
            site.start(supervisor, data_dir=data_dir, listener=listener, env=env)
            console.print(f"The site is up at {url}; logs are in {data_dir / 'logs'}")
            stage = play.Stage(url, console, supervisor.check)
            _play(stage, data_dir, given.games, given.timeout)
            if given.exit:
                return 0
            return _serve(stage)


def _play(stage: play.Stage, data_dir: Path, games: int, timeout_s: int) -> None:
    folders = sorted(path.parent for path in (ROOT / "bots").glob("*/drapeau.toml"))
    houses = [play.House.read(folder) for folder in folders]
    owners = accounts(
        data_dir / "developers.json", {house.slug: house.variants for house in houses}
    )
    stage.console.print("[bold]Developers[/bold]")
    entered = [play.enter(stage, house, owners[house.slug]) for house in houses]
    play.wait_until_validated(stage, entered)
    played = play.boards(stage, entered, games)
    play.wait_for_games(stage, played, within_s=timeout_s)
    play.show_leaderboards(stage, played)
    _hold_a_cup(stage, played, owners["drunkard"], timeout_s)


def _hold_a_cup(
    stage: play.Stage, played: list[play.Board], organizer: Account, timeout_s: int
) -> None:
    """Let all who met on the first ladder meet once more, in a tournament."""
    stage.console.print("[bold]Tournament[/bold]")
    board = min(played, key=lambda board: board.ladder)
    cup = cups.round_robin(board.ladder, [f"{owner}/{slug}" for owner, slug in board.bots])
    cups.begin(stage, cup, organizer)
    cups.wait_until_over(stage, [cup], within_s=timeout_s)
    cups.show_standings(stage, cup)


def _serve(stage: play.Stage) -> int:
    """Keep the site up until Ctrl-C, which is then the normal end."""
    stage.console.print(f"[bold]{stage.url}[/bold] is ready. Ctrl-C stops it.")
    try:
        while True:
            stage.keep_alive()
            time.sleep(POLL_S)
    except KeyboardInterrupt:
        stage.console.print("\nEnding. The next start continues from here.")
        return 0


def _on_sigterm(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> int:
    given = arguments()
    console = Console(soft_wrap=True)
    signal.signal(signal.SIGTERM, _on_sigterm)
    try:
        return demo(given, console)
    except DemoFailed as problem:
        console.print(f"demo: {problem}", style="red", markup=False, highlight=False)
    except GaveUp as problem:
        console.print(f"demo: {problem}", style="red", markup=False, highlight=False)
        console.print(problem.program.tail(), markup=False, highlight=False)
    except KeyboardInterrupt:
        console.print("\nInterrupted. Nothing is lost: the next start continues from here.")
        return INTERRUPTED
    return 1


if __name__ == "__main__":
    sys.exit(main())
