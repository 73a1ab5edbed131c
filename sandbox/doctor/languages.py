"""Test if bots of every claimed language can be played, with one small bot for each runtime.

Nothing is compiled here, because that takes seconds. For C, a shell script replaces the compiled
program. For Java, it is enough that the virtual machine starts and reports that its class is
missing.
"""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from botkit.languages import Language
from botkit.manifest import Manifest
from botkit.package import Package, digest_of
from engine.protocol import Answer, Ask, PlatformFault
from sandbox.doctor.onlooker import ALLOWANCE_MS, ATTEMPTS, Seen, Sights
from sandbox.levels.isolation import Isolation
from sandbox.table import BotTable, start

WORD = "here"  # the answer of a bot, or part of the message about it

PYTHON = f"input()\nprint('{WORD}')\n"
NODE = f"process.stdin.once('data', () => {{ console.log('{WORD}'); process.exit() }})\n"
SHELL = f"#!/bin/sh\nread line\necho {WORD}\n"


def played(
    claimed: Sequence[Language],
    isolation: Isolation,
    run_dir: Path,
    token: str,
    look: Callable[[], object],
) -> Sights:
    """Play a bot of every runtime; call `look` while each runs. Its files contain `token`."""
    by_runtime = {language.runtime: language for language in claimed}

    def play(language: Language) -> Seen:
        trouble = ""
        for _ in range(ATTEMPTS):
            try:
                return _play(isolation, run_dir, _small_bot(language, token), look)
            except PlatformFault as fault:
                trouble = str(fault)
        return False, trouble

    with ThreadPoolExecutor(len(by_runtime)) as players:
        seen = dict(zip(by_runtime, players.map(play, by_runtime.values()), strict=True))
    for language in claimed:
        yield f"plays_{language.name}", seen[language.runtime]


def _play(isolation: Isolation, run_dir: Path, bot: Package, look: Callable[[], object]) -> Seen:
    with ExitStack() as cleanup:
        table = BotTable(start(isolation, {"bot": bot}, run_dir, cleanup), {}, lambda: None)
        cleanup.callback(table.close)
        outcome = table.ask({"bot": Ask(b"now\n", ALLOWANCE_MS)})["bot"]
        look()
        if isinstance(outcome, Answer):
            answer = outcome.line.decode(errors="replace")
            return answer == WORD, f"answered {answer[:40]!r}"
        log = table.stderr("bot").decode(errors="replace").strip()
    if f"class {WORD}" in log:
        return True, "starts, and looks for the class of the bot"
    return False, log.partition("\n")[0] or outcome.detail


def _small_bot(language: Language, token: str) -> Package:
    files: Mapping[str, Mapping[str, bytes]] = {
        "python": {"bot.py": f"# {token}\n{PYTHON}".encode()},
        "node": {"bot.js": f"// {token}\n{NODE}".encode()},
    }
    source = files.get(language.runtime, {language.entry: b""})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nMain-Class: {WORD}\n")
        archive.writestr(token, "")
    artefact = {"native": f"{SHELL}# {token}\n".encode(), "java": buffer.getvalue()}
    return Package(
        Manifest("small", language.name, next(iter(source))),
        source,
        digest_of(source),
        artefact.get(language.runtime, b""),
    )
