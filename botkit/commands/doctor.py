"""The command `doctor`: what works on this machine and with the site."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

import click

from botkit import languages
from botkit.commands.connecting import (
    ANOTHER_FORM,
    FOREIGN,
    LOG_IN,
    SITE_OPTION,
    VARIABLE,
    chosen,
    connect,
    refusals_told,
)
from botkit.commands.output import document, table
from botkit.credentials import place_of_tokens
from botkit.exit_statuses import FAILED
from botkit.site import MORE, SignedOut, SiteClient, SiteProblem
from engine.registry import variants

OK, WARN, FAIL = "ok", "warn", "fail"
PYTHON_MIN = (3, 11)
CLOCK_OFF_MAX_S = 60
WHEEL = re.compile(r"\bdrapeau-(\d[\w.]*)-py3")
PROGRAMS = {"node": ("node",), "c": ("gcc",), "cpp": ("g++",), "java": ("javac", "jar", "java")}
PACKAGES = {"node": "nodejs", "c": "gcc", "cpp": "g++", "java": "default-jdk-headless"}


@dataclass(frozen=True, slots=True)
class _Finding:
    check: str
    state: str
    text: str
    next: str = ""


@click.command()
@SITE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(*, given: str | None, as_json: bool) -> int:
    """Check this machine, the site and the token."""
    findings = refusals_told(lambda: [*_of_machine(), *_of_site(given)])
    if as_json:
        document([asdict(finding) for finding in findings])
    else:
        table(("check", "state", "what", "next"), [tuple(asdict(f).values()) for f in findings])
    return FAILED if any(finding.state == FAIL for finding in findings) else 0


def _of_machine() -> Iterator[_Finding]:
    here = ".".join(map(str, sys.version_info[:3]))
    least = ".".join(map(str, PYTHON_MIN))
    if sys.version_info >= PYTHON_MIN:
        yield _Finding("python", OK, here)
    else:
        yield _Finding("python", FAIL, f"{here}, older than {least}", f"install Python {least}")
    for language in filter(lambda language: language.name in PROGRAMS, languages.LANGUAGES):
        missing = [program for program in PROGRAMS[language.name] if not shutil.which(program)]
        if not missing:
            yield _Finding(language.name, OK, f"{language.title} bots can be played here")
        else:
            lacks = f"no {', '.join(missing)}: {language.title} bots cannot be played here"
            package = PACKAGES[language.name]
            yield _Finding(language.name, WARN, lacks, f"on Debian: apt install {package}")
    yield _Finding("tokens", OK, f"kept in {place_of_tokens()}")


def _of_site(given: str | None) -> Iterator[_Finding]:
    """Yield what holds of the site, as far as one can come."""
    if not chosen(given):
        yield _Finding("site", WARN, "none is chosen", LOG_IN)
        return
    site = connect(given)
    try:
        yield from _of_answers(site)
    except SiteProblem as problem:
        yield _Finding("site", FAIL, str(problem).removesuffix(MORE), "drapeau config")
    except FOREIGN:
        yield _Finding(
            "site", FAIL, ANOTHER_FORM, f"install the kit of the site: {site.address}/kit/"
        )


def _of_answers(site: SiteClient) -> Iterator[_Finding]:
    """Yield what holds of a site that answers. Raise SiteProblem, and one of FOREIGN."""
    games = {row["name"] for row in site.get("variants")["results"]}
    yield _Finding("site", OK, f"{site.address} answers")
    yield _of_clock(site.clock_ahead_s)
    yield _of_token(site)
    yield _of_kit(site)
    unknown = sorted(games ^ {variant.name for variant in variants().values()})
    if unknown:
        text = f"the site and this kit differ in {', '.join(unknown)}"
        yield _Finding("games", WARN, text, f"install the kit of the site: {site.address}/kit/")
    else:
        yield _Finding("games", OK, "the same as on the site")


def _of_clock(ahead_s: float | None) -> _Finding:
    if ahead_s is None:
        return _Finding("clock", WARN, "the site does not tell its time")
    text = f"{abs(ahead_s):.0f} s {'behind' if ahead_s > 0 else 'ahead of'} the site"
    if abs(ahead_s) > CLOCK_OFF_MAX_S:
        return _Finding("clock", WARN, text, "set the clock of this machine")
    return _Finding("clock", OK, text)


def _of_token(site: SiteClient) -> _Finding:
    log_in = f"drapeau login {site.address}"
    try:
        return _Finding("token", OK, f"of {site.get('me')['username']}")
    except SignedOut:
        if VARIABLE in os.environ:
            text = f"the site does not accept the token of {VARIABLE}"
            return _Finding("token", FAIL, text, f"correct {VARIABLE}, or unset it")
        kept = "the site does not accept the one that is kept" if site.token else "none is kept"
        return _Finding("token", FAIL, kept, log_in)
    except SiteProblem as problem:
        return _Finding("token", FAIL, str(problem).removesuffix(MORE), log_in)


def _of_kit(site: SiteClient) -> _Finding:
    try:
        here = version("drapeau")
    except PackageNotFoundError:
        return _Finding("kit", WARN, "run from a checkout, not installed")
    try:
        wheel = WHEEL.search(site.read_page("/kit/"))
    except SiteProblem as problem:
        return _Finding("kit", WARN, str(problem).removesuffix(MORE))
    if wheel is None:
        return _Finding("kit", WARN, f"{here}; the site offers none")
    if wheel[1] != here:
        text = f"{here} here, {wheel[1]} on the site"
        return _Finding("kit", WARN, text, f"install that of the site: {site.address}/kit/")
    return _Finding("kit", OK, f"{here}, as on the site")
