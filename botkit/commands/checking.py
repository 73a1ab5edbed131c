"""The command `check`: a bot against the reference bot, in every seat and with every option."""

import json
import secrets
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click

from botkit import endings
from botkit.checks import Checked, cases, phases_of
from botkit.checks import check as check_one
from botkit.commands import CommandFailed
from botkit.commands.archives import bot_named
from botkit.commands.completing import complete_bot, complete_game
from botkit.commands.terms import (
    SEED_BITS,
    ClockType,
    check_variant,
    empty_folder,
    failures_told,
)
from botkit.exit_statuses import FAILED, UNDECIDED
from botkit.games import seed_secret, write_record
from botkit.home import HomeBot
from engine import chance
from engine.clock import ClockSpec
from engine.registry import find, variants
from engine.variant import Variant

TURNS_MAX = 4  # how often the games are played until all phases have come up
NOT_XML = {number: "?" for number in range(32) if chr(number) not in "\t\n\r"}


@dataclass(slots=True)
class _Report:
    """The checks of one bot. `unasked` are the phases that came up in no game, by variant."""

    bot: HomeBot
    given: str
    folder: Path
    checked: list[Checked] = field(default_factory=list)
    unasked: dict[str, list[str]] = field(default_factory=dict)

    @property
    def failures(self) -> list[Checked]:
        """The games after which the site would reject the bot."""
        return [each for each in self.checked if each.failure]

    def has_failed_always(self, variant: Variant[Any]) -> bool:
        """Return whether the bot forfeited every game of a variant so far."""
        return all(each.failure for each in self.checked if each.case.variant is variant)

    def record_of(self, each: Checked) -> Path:
        """Return the file for the record of a game."""
        return self.folder / f"game-{self.checked.index(each) + 1:04}.json"

    def line_of(self, each: Checked) -> str:
        """Return how a game went, in words."""
        if each.failure:
            return f"FAILED  {each.case}: {each.failure}"
        record = each.record
        ended = endings.BY_RULES[record.result.termination].lower()
        return f"ok      {each.case}: {len(record.actions)} actions, {ended}"


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
@click.option("--seed", type=click.IntRange(0, 2**SEED_BITS - 1), help="The chance of all games.")
@click.option("--fail-fast", is_flag=True, help="End after the first game that fails.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML.")
@click.option("--record-dir", type=click.Path(path_type=Path), help="A folder for failed games.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(  # noqa: PLR0913 - one parameter for each option
    *,
    bot: str,
    slugs: Sequence[str],
    clock: ClockSpec,
    seed: int | None,
    fail_fast: bool,
    junit: Path | None,
    record_dir: Path | None,
    as_json: bool,
) -> int:
    """Check a bot in every seat and with every option of its games.

    The bot plays whole games against the reference bot of the arena's checks: one for each seat,
    and one for each other value of each option. Some have no limit of plies, so they are long. A
    bot that does not start in its first game is not tried again.
    """
    rng_seed = secrets.randbits(SEED_BITS) if seed is None else seed
    with failures_told():
        found = bot_named(bot)
        games = [find(slug) for slug in slugs or [each for each in variants() if found.plays(each)]]
        for variant in games:
            check_variant([found], variant.slug)
        report = _Report(found, bot, empty_folder(record_dir))
        for variant in games:
            for line in _checked(report, variant, clock, rng_seed, fail_fast=fail_fast):
                if not as_json:
                    click.echo(line)
            if not report.checked[0].has_started or (fail_fast and report.failures):
                break
    if junit is not None:
        _write_junit(report, junit)
    (_print_json if as_json else _print_end)(report)
    if report.failures:
        return FAILED
    return UNDECIDED if report.unasked else 0


def _checked(
    report: _Report, variant: Variant[Any], clock: ClockSpec, rng_seed: int, *, fail_fast: bool
) -> Iterator[str]:
    """Play the check games of a variant, keep the records of failed ones, and yield a line each.

    Play them again, with other chance and seats, while a phase has not come up. A bot that fails in
    every seat is not asked with options, and one that does not start is not asked again.
    """
    unasked, secret = phases_of(variant), seed_secret(rng_seed)
    for turn in range(TURNS_MAX):
        for case in cases(variant, turn) if unasked else ():
            if case.options and report.has_failed_always(variant):
                yield f"STOPPED {variant.slug}: it failed in every seat, so no options were tried"
                return
            number = len(report.checked) + 1
            game_seed = chance.game_seed(secret, game=number, take=1)
            checked = check_one(case, report.bot, clock=clock, rng_seed=game_seed)
            report.checked.append(checked)
            unasked -= checked.phases
            if checked.failure:
                write_record(checked.record, report.record_of(checked))
            yield report.line_of(checked)
            if not checked.has_started:
                yield f"STOPPED {variant.slug}: it did not start, so it was not tried again"
                return
            if checked.failure and fail_fast:
                yield f"STOPPED {variant.slug}: --fail-fast ends the check here"
                return
    if unasked:
        report.unasked[variant.slug] = sorted(unasked)


def _print_end(report: _Report) -> None:
    for slug, phases in report.unasked.items():
        click.echo(f"NOT ASKED  {slug}: {', '.join(phases)}")
    for each in report.failures:
        words = ["drapeau", "reproduce", str(report.record_of(each)), "--seat", each.case.seat]
        click.echo(f"Again: {shlex.join([*words, report.given])}")
    click.echo(f"{len(report.checked)} games, {len(report.failures)} failed")


def _print_json(report: _Report) -> None:
    games = [
        {
            "variant": each.case.variant.slug,
            "seat": each.case.seat,
            "options": dict(each.case.options),
            "actions": len(each.record.actions),
            "termination": str(each.record.result.termination),
            "failure": each.failure,
            "record": str(report.record_of(each)) if each.failure else None,
        }
        for each in report.checked
    ]
    click.echo(json.dumps({"bot": report.bot.name, "games": games, "not_asked": report.unasked}))


def _write_junit(report: _Report, path: Path) -> None:
    suite = ET.Element(
        "testsuite",
        name=f"drapeau check {report.bot.name}",
        tests=str(len(report.checked)),
        failures=str(len(report.failures)),
    )
    for each in report.checked:
        owner = f"{report.bot.name}.{each.case.variant.slug}"
        case = ET.SubElement(suite, "testcase", classname=owner, name=str(each.case))
        if each.failure:
            kind = str(each.record.result.termination)
            failure = ET.SubElement(case, "failure", type=kind, message=_clean(each.failure))
            failure.text = _clean(each.stderr)
    try:
        ET.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as problem:
        raise CommandFailed(f"{path}: {problem.strerror}") from problem


def _clean(text: str) -> str:
    """Return text without the characters that XML does not have."""
    return text.translate(NOT_XML)
