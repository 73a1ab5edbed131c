"""Find mistakes in the examples of a page: fences, commands, addresses, settings and paths.

Commands are parsed and addresses are resolved. Nothing is run that takes long or needs a site.
"""

import ast
import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from textwrap import dedent

import click
import yaml
from django.core.management import CommandError, load_command_class
from django.urls import Resolver404, resolve

from arena.__main__ import server
from arena.domain.tournaments.entry import entry_lists
from botkit.commands import drapeau
from botkit.manifest import MANIFEST_NAME, BadUpload, read_manifest
from sandbox.__main__ import _parser as sandbox_parser
from tests.tree import ROOT, compose_files, ours, text

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
VARIABLE = re.compile(r"\b(?:DRAPEAU_[A-Z_]+|DATABASE_URL)\b")
METRIC = re.compile(r"\bdrapeau_[a-z_]+\b")
ADDRESS = re.compile(r"(?:(GET|POST|PATCH|DELETE) )?(/[\w<>./-]*)")
PATH = re.compile(r"(?:arena|engine|sandbox|botkit|bots|tests|tools|requirements)/[\w./*-]+")
MACHINE = ("/etc/", "/proc/", "/run/", "/tmp", "/var/")  # of the host, not of the site

STRANGERS = (
    "git",
    "gunzip",
    "iptables",
    "npm",
    "npx",
    "pip",
    "pg_basebackup",
    "pg_dump",
    "printf",
    "sudo",
    ".venv/bin/pybabel",
)  # programs that are not ours


def problems(page: str) -> list[str]:
    """Return what is wrong in a page."""
    found = [
        f"{said}: {content.strip()[:60]!r}"
        for language, content in fences(page)
        for said in FENCES.get(language, unknown_language)(content)
    ]
    prose = FENCE.sub("", page)
    for span in SPAN.findall(prose):
        found += [f"{said}: `{span}`" for said in span_problems(span)]
    found += [f"no setting {name}" for name in set(VARIABLE.findall(page)) - settings_known()]
    known = text("docs/reference/metrics.md")
    return found + [f"no metric {name}" for name in METRIC.findall(page) if name not in known]


def fences(page: str) -> list[tuple[str, str]]:
    return [(language, dedent(content)) for _, language, content in FENCE.findall(page)]


@cache
def settings_known() -> frozenset[str]:
    files = [name for name in ours(".py", ".yaml", ".sh") if not name.startswith("tests/")]
    return frozenset(name for file in files for name in VARIABLE.findall(text(file)))


# --- Fences: what is wrong with one -----------------------------------------------------------


def unknown_language(content: str) -> Iterator[str]:
    yield "a fence of no known language"


def python_problems(content: str) -> Iterator[str]:
    try:
        ast.parse(content)
    except SyntaxError as problem:
        yield f"not Python ({problem})"


def json_problems(content: str) -> Iterator[str]:
    try:
        json.loads(content)
    except ValueError as problem:
        yield f"not JSON ({problem})"


def toml_problems(content: str) -> Iterator[str]:
    try:
        table = tomllib.loads(content)
        if "bot" in table:
            entry = str(table["bot"].get("entry", "bot.py"))
            read_manifest({MANIFEST_NAME: content.encode(), entry: b""})
    except (ValueError, BadUpload) as problem:
        yield f"not taken ({problem})"


def yaml_problems(content: str) -> Iterator[str]:
    try:
        yaml.safe_load(content)
    except yaml.YAMLError as problem:
        yield f"not YAML ({problem})"


def csv_problems(content: str) -> Iterator[str]:
    columns = content.splitlines()[0].split(",")
    if not set(columns) <= set(entry_lists.COLUMNS):
        yield "columns that no list has"


def shell_problems(content: str) -> Iterator[str]:
    for line in content.replace("\\\n", " ").splitlines():
        if line and not re.match(r"\w+\(\)|[A-Z]+=\S+$", line):  # a function, a variable
            yield from command_problems(shlex.split(line.partition(" > ")[0]))


FENCES: Mapping[str, Callable[[str], Iterator[str]]] = {
    "python": python_problems,
    "json": json_problems,
    "toml": toml_problems,
    "yaml": yaml_problems,
    "csv": csv_problems,
    "sh": shell_problems,
    "": shell_problems,
    "text": lambda content: iter(()),
}


# --- Commands ---------------------------------------------------------------------------------


def command_problems(words: list[str]) -> Iterator[str]:
    """Yield why a command, as a shell splits it, is wrong."""
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    if words and words[0] not in STRANGERS:
        yield from PROGRAMS.get(words[0], unknown_program)(words[1:])


def unknown_program(rest: list[str]) -> Iterator[str]:
    yield f"an unknown program with {rest}"


def drapeau_problems(rest: list[str], commands: click.Group = drapeau) -> Iterator[str]:
    """Parse the words with click, without running the command."""
    name, *words = rest
    if name == "--version":
        return
    group = click.Context(commands)
    command = commands.get_command(group, name)
    if command is None:
        yield f"no command {name!r}"
        return
    try:
        command.make_context(name, words or ["--help"], parent=group)
    except click.exceptions.Exit:
        return
    except click.ClickException as problem:
        yield f"not understood ({problem.message})"


def python_command_problems(rest: list[str]) -> Iterator[str]:
    match rest:
        case ["-m", module, *_] if module in STRANGERS:
            return
        case ["-m", "sandbox", *words]:
            yield from parser_problems(sandbox_parser().parse_args, words)
        case ["-m", module, *words]:
            yield from module_problems(module, words)
        case ["manage.py", *words]:
            yield from manage_problems(words or ["check"])
        case _:
            yield "neither a module nor manage.py"


def make_problems(words: list[str]) -> Iterator[str]:
    target, *rest = words
    if not re.search(rf"^{target}:.*## ", text("Makefile"), re.MULTILINE):
        yield f"no target {target!r}"
        return
    options = [word for given in rest for word in shlex.split(given.removeprefix("ARGS="))]
    if target == "up":
        yield from drapeau_problems([target, *options], server)
    elif options:
        elsewhere = {"bench": "benchmarks", "restore": "tools.backup"}
        yield from module_problems(elsewhere.get(target, f"tools.{target}"), options)


@cache
def compose_services() -> frozenset[str]:
    """Return the services of the compose files, whose `!override` and `!reset` YAML has to skip."""
    names = set()
    for name in compose_files():
        root = yaml.compose(text(name))
        assert isinstance(root, yaml.MappingNode)
        (services,) = (value for key, value in root.value if key.value == "services")
        names |= {key.value for key, _value in services.value}
    return frozenset(names)


def docker_problems(words: list[str]) -> Iterator[str]:
    if words[0] != "compose":
        return
    _, doing, *rest = words
    services = compose_services()
    named = [word for word in rest if not word.startswith("-")]
    if doing not in ("build", "up", "down", "run", "exec", "logs", "config", "stop"):
        yield f"no compose command {doing!r}"
    elif doing in ("run", "exec") and named:
        if named[0] not in services:
            yield f"no service {named[0]!r}"
        yield from command_problems(rest[rest.index(named[0]) + 1 :])
    else:
        yield from (f"no service {name!r}" for name in named if name not in services)


def certificate_problems(words: list[str]) -> Iterator[str]:
    if len(words) < 2:
        yield "no name of the files, or none of the host"


def parser_problems(parse: Callable[[list[str]], object], words: list[str]) -> Iterator[str]:
    """Ask the parser of the command itself. A command that is only named is asked for its help."""
    try:
        parse(words if len(words) > 1 else [*words, "--help"])
    except SystemExit as end:
        if end.code != 0:
            yield "not understood"


def module_problems(module: str, given: list[str]) -> Iterator[str]:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        yield f"no module {module!r}"
        return
    words = given[: given.index("--")] if "--" in given else given
    yield from command_problems(given[len(words) + 1 :])
    source = module.replace(".", "/")
    files = [name for name in (f"{source}.py", f"{source}/__main__.py") if (ROOT / name).is_file()]
    options = {word for word in words if word.startswith("--")} - {"--help"}
    if files:
        yield from (f"no option {word}" for word in options if f'"{word}"' not in text(files[0]))
    if module == "pytest":
        places = [word for word in words if "/" in word]
        yield from (f"no file {word}" for word in places if not (ROOT / word).exists())


def manage_problems(given: list[str]) -> Iterator[str]:
    command, *words = given
    for app in ("arena", "django.core", "django.contrib.auth"):
        try:
            found = load_command_class(app, command)
        except ModuleNotFoundError:
            continue
        try:
            found.create_parser("manage.py", command).parse_args(words)
        except (CommandError, SystemExit):
            yield "not understood"
        return
    yield f"no command {command!r}"


def request_problems(words: list[str]) -> Iterator[str]:
    _, method, address, *rest = words
    api = re.sub(r"^(https://arena\.example/api/v1|\$SITE)", "/api/v1", address)
    path = re.sub(r"\$\w+", "somebody", api).partition("?")[0]
    yield from address_problems(method, path)
    if "-d" in rest:
        yield from json_problems(rest[rest.index("-d") + 1])


PROGRAMS: Mapping[str, Callable[[list[str]], Iterator[str]]] = {
    "make": make_problems,
    "docker": docker_problems,
    "drapeau": drapeau_problems,
    "drapeau-server": partial(drapeau_problems, commands=server),
    "curl": request_problems,
    "arena": request_problems,
    "tools/certificates.sh": certificate_problems,
    **dict.fromkeys(("python", "python3", ".venv/bin/python"), python_command_problems),
}


# --- Spans in the prose -----------------------------------------------------------------------


def span_problems(span: str) -> Iterator[str]:
    address = ADDRESS.fullmatch(span)
    if address and not span.startswith(MACHINE):
        yield from address_problems(address[1] or "", address[2])
    elif PATH.fullmatch(span):
        if not any(ROOT.glob(span.rstrip("/"))):
            yield "no such path"
    elif re.match(r"(make|drapeau|drapeau-server|docker compose|(\.venv/bin/)?python) \S", span):
        yield from command_problems(shlex.split(span))


def address_problems(method: str, path: str) -> Iterator[str]:
    """Yield why an address does not exist, or does not take the method. `<…>` is any word."""
    filled = re.sub(r"<n>|<number>", "1", path)
    try:
        found = resolve(re.sub(r"<\w+>", "some", filled))
    except Resolver404:
        yield "no such address"
        return
    if path.startswith("/api/v1/") and not found.url_name:
        yield "no such address of the API"
    elif method:
        view = getattr(found.func, "cls", None)
        known = getattr(found.func, "actions", None) or {each.lower() for each in dir(view)}
        if method.lower() not in known:
            yield f"{method} is not for it"
