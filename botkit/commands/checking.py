"""The command `check`: what a site would say of a bot, and more games than a site plays."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeVar
from xml.etree import ElementTree as ET

import click

from botkit import checks, languages
from botkit.checks import SEED_BITS
from botkit.commands import CommandFailed, Whole
from botkit.commands.archives import bot_named, local
from botkit.commands.completing import complete_bot, complete_game
from botkit.commands.game_options import (
    ClockType,
    again_in_words,
    check_variant,
    failures_told,
    records_in,
    tell_of_cores,
)
from botkit.commands.output import document, note, paragraph, say
from botkit.commands.uploads import upload_of
from botkit.exit_statuses import FAILED, INTERRUPTED, UNDECIDED
from botkit.games import write_text
from botkit.home import COMMAND, UCC, HomeBot, NoBot, NotCompiled, path_of
from botkit.home_checks import (
    CheckCase,
    Checked,
    Tell,
    Verdict,
    cases,
    phases_of,
    play_case,
    verdict,
)
from botkit.manifest import MANIFEST_NAME, BadUpload
from botkit.package import Package, read_described
from botkit.workers import Killed, work_through
from engine import registry
from engine.clock import ClockSpec
from engine.registry import find

T = TypeVar("T")
R = TypeVar("R")
TURNS_MAX = 4  # how often the games are played until all phases have come up
NOT_XML = {number: "?" for number in range(32) if chr(number) not in "\t\n\r"}


@dataclass(slots=True)
class _Report:
    """What the check of a bot has found. `unasked` are phases that came up in no game."""

    given: str
    folder: Path
    times: int = 1  # how many verdicts there are to be
    name: str = ""
    step: str = ""  # that runs, or ran last
    verdicts: list[Verdict] = field(default_factory=list)
    games: list[tuple[CheckCase, Checked]] = field(default_factory=list)  # with --all-options
    unasked: dict[str, list[str]] = field(default_factory=dict)
    kept: list[tuple[Path, str]] = field(default_factory=list)  # records of failures, and seats

    @property
    def has_failed(self) -> bool:
        """Return whether a verdict is against the bot, or it failed in a further game."""
        return any(judged.reason for judged in self.verdicts) or any(
            checked.failure for _, checked in self.games
        )

    def keep(self, record: str, seat: str) -> None:
        """Write the record of a failed game, if there is one. Raise NotPlayed."""
        if record:
            path = self.folder / f"game-{len(self.kept) + 1:04}.json"
            write_text(record, path)
            self.kept.append((path, seat))


@click.command()
@click.argument("bot", shell_complete=complete_bot)
@click.option(
    "--variant",
    "slugs",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="Only this game.",
)
@click.option(
    "--clock", type=ClockType(), default=ClockSpec(), help="Seconds, such as 60+0.1/5, the default."
)
@click.option("--seed", type=Whole(0, 2**SEED_BITS - 1), help="The chance of all games.")
@click.option("-n", "times", type=Whole(1), default=1, help="Check it so often, with other chance.")
@click.option("-j", "jobs", type=Whole(1), default=1, help="Games at the same time.")
@click.option(
    "--all-options", is_flag=True, help="Then play every seat and option, which no site does."
)
@click.option("--fail-fast", is_flag=True, help="End after the first failure.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML.")
@click.option("--record-dir", type=click.Path(path_type=Path), help="A folder for failed games.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(  # noqa: PLR0913 - one parameter for each option
    *,
    bot: str,
    slugs: Sequence[str],
    clock: ClockSpec,
    seed: int | None,
    times: int,
    jobs: int,
    all_options: bool,
    fail_fast: bool,
    junit: Path | None,
    record_dir: Path | None,
    as_json: bool,
) -> int:
    """Check a bot as a site checks an upload.

    The same program decides there. The bot must be within the limits of an upload and compile, act
    in each of its games, and play a game on each side of them against a bot that moves at random. A
    bot whose manifest names no game must pass in one at least.
    """
    rng_seed = secrets.randbits(SEED_BITS) if seed is None else seed
    random = Random(rng_seed)  # noqa: S311 - for the chance of games that anybody may know
    tell = _untold if as_json else _tell
    tell_of_cores(jobs)
    with failures_told(), _deaths_told(), records_in(record_dir) as folder:
        report = _Report(bot, folder, times)
        with _stop_told(report):
            prepared = _prepared(report, tell, names_games=bool(slugs))
            if prepared is not None:
                run = _Run(report, prepared, clock, jobs, tell, fail_fast=fail_fast)
                known = slugs or prepared.variants
                must_pass = [find(slug.partition("@")[0]).slug for slug in known]
                for slug in must_pass:
                    check_variant([prepared], slug)
                run.check(must_pass, [random.getrandbits(SEED_BITS) for _ in range(times)])
                if all_options and not report.has_failed:
                    run.play_options(random)
    if junit is not None:
        _write_junit(report, junit)
    (_print_json if as_json else _print_end)(report)
    if report.has_failed:
        return FAILED
    return UNDECIDED if report.unasked else 0


def _untold(_step: str, _state: str, _said: str) -> None:
    """Print nothing: the whole is printed at the end, or in one line."""


def _tell(step: str, state: str, message: str) -> None:
    """Print what came of a step or a game, and on standard error that a step begins."""
    first, *others = message.strip().splitlines() or [""]
    (say if message or state != "running" else note)(f"{step}: {state}  {first}".rstrip())
    for line in others:
        say(f"  {line}")


@contextmanager
def _deaths_told() -> Iterator[None]:
    try:
        yield
    except Killed as problem:
        raise CommandFailed("a process that played check games was killed") from problem


@contextmanager
def _stop_told(report: _Report) -> Iterator[None]:
    """Create a block in which Ctrl-C ends the command with a sentence on what was broken off."""
    try:
        yield
    except KeyboardInterrupt:
        rejected = sum(bool(judged.reason) for judged in report.verdicts)
        if len(report.verdicts) == report.times:
            said = f"Stopped. Games beyond the verdict: {len(report.games)}."
        elif report.times > 1:
            done = f"{len(report.verdicts)} of {report.times} checks"
            said = f"Stopped after {done}, {rejected} rejected."
        else:
            said = f"Stopped in the step {report.step}, before the verdict."
        raise CommandFailed(said, INTERRUPTED) from None


def _prepared(report: _Report, tell: Tell, *, names_games: bool) -> HomeBot | None:
    """Return the bot, scanned and compiled; or reject it and return None. Raise NoBot.

    The manifest must name games that there are, if the command names none.
    """
    report.step = "scanned"
    try:
        package = _package(local(report.given))
        if package is not None:
            if not names_games:
                checks.games_of(package.manifest.variants)
            tell(report.step, "passed", checks.scanned(package))
        report.step = "built"
        bot = bot_named(report.given)
    except BadUpload as problem:
        reason, log = problem.message, ""
    except NotCompiled as problem:
        reason, log = problem.why, problem.log
    else:
        language = languages.find(package.manifest.language) if package else None
        if language is not None and language.compiled:
            tell(report.step, "passed", checks.BUILT)
        report.name = bot.name
        return bot
    tell(report.step, "failed", reason)
    report.verdicts.append(Verdict((), reason, log))
    return None


def _package(word: str) -> Package | None:
    """Return what a site would get of a bot, or None for a command. Raise BadUpload and NoBot."""
    path = path_of(word)
    is_further = path.suffix == Path(MANIFEST_NAME).suffix and path.name != MANIFEST_NAME
    try:
        if word.startswith((COMMAND, UCC)) or not path.exists():
            return None
        if is_further:
            return read_described(path)
        if path.name == MANIFEST_NAME:
            path = path.parent
        if path.is_dir() or languages.of_file(path.name) is not None:
            return upload_of(path).package
    except OSError as problem:
        raise NoBot(f"{problem.filename or path}: {problem.strerror}") from problem
    return None


@dataclass(frozen=True, slots=True)
class _Run:
    """The games of a check, up to `jobs` at the same time."""

    report: _Report
    bot: HomeBot
    clock: ClockSpec
    jobs: int
    tell: Tell
    fail_fast: bool

    def check(self, slugs: Sequence[str], seeds: Sequence[int]) -> None:
        """Come to a verdict for each seed."""
        if len(seeds) == 1:

            def tell(step: str, state: str, said: str) -> None:
                self.report.step = step
                self.tell(step, state, said)

            judged = verdict(self.bot, slugs, clock=self.clock, rng_seed=seeds[0], tell=tell)
            self._add(judged)
            return

        def work(rng_seed: int) -> Verdict:
            return verdict(self.bot, slugs, clock=self.clock, rng_seed=rng_seed, tell=_untold)

        for number, (_, judged) in enumerate(self._done(seeds, work), start=1):
            state = "rejected" if judged.reason else "ready"
            self.tell(f"check {number}", state, judged.reason or ", ".join(judged.variants))
            self._add(judged)
            if judged.reason and self.fail_fast:
                break

    def play_options(self, random: Random) -> None:
        """Play every seat and option of the games that the bot passed in.

        Play them again, with other chance and seats, while a phase has not come up.
        """

        def work(order: tuple[CheckCase, int]) -> Checked:
            return play_case(order[0], self.bot, clock=self.clock, rng_seed=order[1])

        for slug in self.report.verdicts[0].variants:
            variant = find(slug)
            unasked = phases_of(variant)
            for turn in range(TURNS_MAX):
                due = [*cases(variant, turn)] if unasked else []
                orders = [(case, random.getrandbits(SEED_BITS)) for case in due]
                for (case, _), checked in self._done(orders, work):
                    unasked -= checked.phases
                    self.report.games.append((case, checked))
                    if checked.failure:
                        self.tell(str(case), "failed", checked.failure)
                        self.report.keep(checked.record, case.seat)
                    else:
                        ended = registry.endings()[checked.termination].title.lower()
                        self.tell(str(case), "passed", f"{checked.actions} actions, {ended}")
                    if checked.failure and self.fail_fast:
                        return
            if unasked:
                self.report.unasked[slug] = sorted(unasked)

    def _done(self, orders: Sequence[T], work: Callable[[T], R]) -> Iterator[tuple[T, R]]:
        with closing(work_through(orders, work, jobs=self.jobs, failures=(NoBot,))) as done:
            yield from done

    def _add(self, judged: Verdict) -> None:
        self.report.verdicts.append(judged)
        self.report.keep(judged.record, judged.seat)


def _print_end(report: _Report) -> None:
    for slug, phases in report.unasked.items():
        say(f"NOT ASKED  {slug}: {', '.join(phases)}")
    rejected = [judged for judged in report.verdicts if judged.reason]
    if len(report.verdicts) > 1:
        say(f"{len(report.verdicts)} checks, {len(rejected)} rejected")
    elif rejected:
        if rejected[0].log:
            paragraph(rejected[0].log)
        say("Rejected.")
    else:
        say(f"Ready. It would play {', '.join(report.verdicts[0].variants)}.")
    if report.games:
        failed = sum(bool(checked.failure) for _, checked in report.games)
        say(f"{len(report.games)} games beyond that, {failed} failed")
    for path, seat in report.kept:
        say(again_in_words(path, seat, report.given))


def _print_json(report: _Report) -> None:
    verdicts = [
        {"ready": not judged.reason, "variants": list(judged.variants), "reason": judged.reason}
        for judged in report.verdicts
    ]
    games = [
        {
            "variant": case.variant.slug,
            "seat": case.seat,
            "options": dict(case.options),
            "actions": checked.actions,
            "termination": str(checked.termination),
            "failure": checked.failure,
        }
        for case, checked in report.games
    ]
    document(
        {
            "bot": report.name or report.given,
            "checks": verdicts,
            "games": games,
            "not_asked": report.unasked,
            "records": [str(path) for path, _ in report.kept],
        }
    )


def _write_junit(report: _Report, path: Path) -> None:
    name = report.name or report.given
    rows = [
        (f"check {number}", judged.reason, judged.log)
        for number, judged in enumerate(report.verdicts, start=1)
    ]
    rows += [(str(case), checked.failure, checked.stderr) for case, checked in report.games]
    failures = sum(bool(failure) for _, failure, _ in rows)
    suite = ET.Element(
        "testsuite", name=f"drapeau check {name}", tests=str(len(rows)), failures=str(failures)
    )
    for title, failure, log in rows:
        case = ET.SubElement(suite, "testcase", classname=name, name=title)
        if failure:
            ET.SubElement(case, "failure", message=_clean(failure)).text = _clean(log)
    try:
        ET.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as problem:
        raise CommandFailed(f"{path}: {problem.strerror}") from problem


def _clean(text: str) -> str:
    """Return text without the characters that XML does not have."""
    return text.translate(NOT_XML)
