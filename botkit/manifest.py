"""The manifest of a bot, `drapeau.toml`, and the refusal of what is not a bot."""

import codecs
import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from botkit import languages, names
from botkit.languages import Language

MANIFEST_NAME = "drapeau.toml"
MANIFEST_MAX_BYTES = 4096  # parsed in 0.1 s at worst: dotted keys cost more than quadratic time
CLASS_NAME_MAX_BYTES = 100  # with a suffix, still a valid file name on any host
QUOTED_MAX_CHARS = 40  # of a foreign text that a refusal quotes
REFUSAL_MAX_CHARS = 400
KNOWN_KEYS = ("name", "language", "entry", "variants", "libraries", "settings")
UTF_8_MARK = codecs.BOM_UTF8
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SETTING_SYNTAX = re.compile(r"[a-z][a-z0-9_]{0,39}")
VARIANT_SYNTAX = re.compile(r"[a-z][a-z0-9_-]{0,39}(@[1-9][0-9]{0,3})?")


Setting = str | int | float | bool


class BadUpload(ValueError):
    """Files that are not a bot: a stable code for programs and a sentence for their author.

    The sentence is cut if a library put too much of the files into it.
    """

    def __init__(self, code: str, message: str) -> None:
        most = REFUSAL_MAX_CHARS
        message = message if len(message) <= most else f"{message[:most]}..."
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Manifest:
    """Name, language, the file that is run, and the variants; no variants means all.

    `libraries` are those that the bot needs besides the standard one. `settings` are for the bot
    alone: the arena does not look at them.
    """

    name: str
    language: str = languages.DEFAULT.name
    entry: str = languages.DEFAULT.entry
    variants: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict, hash=False)


def default_manifest(filename: str, language: Language) -> Manifest:
    """Return the manifest of a single file, with its name. Raise `BadUpload`: `bad_name`."""
    file = PurePosixPath(filename.replace("\\", "/"))
    name = "".join(char for char in file.stem if char.isprintable()).strip()[: names.NAME_MAX_CHARS]
    stem = file.stem if language.names_class else PurePosixPath(language.entry).stem
    if not stem.isidentifier() or len(stem.encode()) > CLASS_NAME_MAX_BYTES:
        what = f"a single {language.title} file is named after its class"
        raise BadUpload("bad_name", f"{what}, such as {language.entry}")
    return Manifest(
        name="bot" if names.problem_with(name) else name,
        language=language.name,
        entry=f"{stem}{file.suffix.lower()}",
    )


def read_manifest(files: Mapping[str, bytes]) -> Manifest:
    """Parse `drapeau.toml` of an unpacked bot and check it against the other files.

    Raise `BadUpload`: `no_manifest`, `bad_manifest`, `unknown_language` or `missing_entry`.
    """
    if MANIFEST_NAME not in files:
        raise no_manifest()
    manifest = parsed(files[MANIFEST_NAME])
    if manifest.entry not in files:
        raise missing_entry(manifest)
    return manifest


def parsed(content: bytes) -> Manifest:
    """Return what a `drapeau.toml` says. Raise `BadUpload`: `bad_manifest`, `unknown_language`."""
    table = _bot_table(content)
    language = _language(table.get("language", languages.DEFAULT.name))
    manifest = Manifest(
        name=_name(table.get("name")),
        language=language.name,
        entry=_text(table.get("entry", language.entry), "entry"),
        variants=_variants(table.get("variants", [])),
        libraries=_libraries(table.get("libraries", []), language),
        settings=_settings(table.get("settings", {})),
    )
    if not manifest.entry.endswith(language.suffixes):
        wanted = " or ".join(language.suffixes)
        raise BadUpload(
            "bad_manifest",
            f"entry must be a {wanted} file for {language.name!r}, not {quoted(manifest.entry)}",
        )
    return manifest


def no_manifest() -> BadUpload:
    """Return the refusal of a folder or a zip that has no manifest."""
    return BadUpload("no_manifest", f"there is no {MANIFEST_NAME} at the top")


def missing_entry(manifest: Manifest) -> BadUpload:
    """Return the refusal of a bot without the file that its manifest names."""
    return BadUpload(
        "missing_entry", f"{MANIFEST_NAME} names {quoted(manifest.entry)}, which is not there"
    )


def text_of(content: bytes, name: str, code: str) -> str:
    """Return a file as text, without a mark of UTF-8. Raise `BadUpload` with the code."""
    check_encoding(content, name, code)
    try:
        return content.removeprefix(UTF_8_MARK).decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadUpload(code, f"{name} is not UTF-8 text: line {line}. Save it as UTF-8") from error


def check_encoding(content: bytes, name: str, code: str) -> None:
    """Raise `BadUpload` with the code for a file that an editor saved as UTF-16."""
    if content.startswith(UTF_16_MARKS):
        raise BadUpload(code, f"{name} is UTF-16 text. Save it as UTF-8")


def written(manifest: Manifest) -> str:
    """Return the text of `drapeau.toml` for a manifest."""
    table = {"name": manifest.name, "language": manifest.language, "entry": manifest.entry}
    lines = [f"{key} = {_basic(value)}" for key, value in table.items()]
    if manifest.variants:
        lines.append(f"variants = [{', '.join(map(_basic, manifest.variants))}]")
    if manifest.libraries:
        lines.append(f"libraries = [{', '.join(map(_basic, manifest.libraries))}]")
    if manifest.settings:
        lines += ["", "[bot.settings]"]
        lines += [
            f"{key} = {_basic(value) if isinstance(value, str) else json.dumps(value)}"
            for key, value in manifest.settings.items()
        ]
    return "\n".join(["[bot]", *lines, ""])


def _basic(text: str) -> str:
    """Return printable text as a basic string of TOML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted(text: str) -> str:
    """Return the text in quotes, cut to a length that fits a line."""
    return repr(text if len(text) <= QUOTED_MAX_CHARS else f"{text[:QUOTED_MAX_CHARS]}...")


def _bot_table(content: bytes) -> Mapping[str, object]:
    if len(content) > MANIFEST_MAX_BYTES:
        most = MANIFEST_MAX_BYTES // 1024
        raise BadUpload("bad_manifest", f"{MANIFEST_NAME} is larger than {most} KiB")
    text = text_of(content, MANIFEST_NAME, "bad_manifest")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadUpload("bad_manifest", f"{MANIFEST_NAME} is not TOML: {error}") from error
    except RecursionError as error:
        why = "its brackets or keys are nested too deep"
        raise BadUpload("bad_manifest", f"{MANIFEST_NAME} is not TOML: {why}") from error
    except ValueError as error:
        why = "it has a number that is too long, or a day or an hour that is none"
        raise BadUpload("bad_manifest", f"{MANIFEST_NAME} is not TOML: {why}") from error
    table = document.get("bot")
    if not isinstance(table, dict) or len(document) > 1:
        raise BadUpload("bad_manifest", f"{MANIFEST_NAME} must hold one table, [bot]")
    unknown = sorted(set(table) - set(KNOWN_KEYS))
    if unknown:
        known = ", ".join(KNOWN_KEYS)
        raise BadUpload(
            "bad_manifest", f"[bot] does not know {quoted(unknown[0])}; it knows {known}"
        )
    return table


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise BadUpload("bad_manifest", f"{key} must be a line of text")
    return value


def _name(value: object) -> str:
    if value is None:
        raise BadUpload("bad_manifest", "name is missing")
    if not isinstance(value, str):
        raise BadUpload("bad_manifest", "name must be a line of text")
    if problem := names.problem_with(name := value.strip()):
        raise BadUpload("bad_manifest", f"name {quoted(name)}: {problem.removesuffix('.')}")
    return name


def _language(value: object) -> Language:
    name = _text(value, "language")
    language = languages.find(name)
    if language is None:
        known = ", ".join(listed.name for listed in languages.LANGUAGES)
        raise BadUpload(
            "unknown_language", f"no runtime for {quoted(name)}; there is one for {known}"
        )
    return language


def _variants(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadUpload("bad_manifest", 'variants must be a list such as ["classic"]')
    names = tuple(_text(item, "variants") for item in value)
    for name in names:
        if not VARIANT_SYNTAX.fullmatch(name):
            raise BadUpload("bad_manifest", f"{quoted(name)} cannot be the name of a variant")
    if len(set(names)) != len(names):
        raise BadUpload("bad_manifest", "variants names one variant twice")
    return names


def _libraries(value: object, language: Language) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadUpload("bad_manifest", 'libraries must be a list such as ["numpy"]')
    names = tuple(_text(item, "libraries") for item in value)
    for name in names:
        if name not in language.libraries:
            known = ", ".join(language.libraries) or "none"
            what = f"there is no library {quoted(name)} for {language.title} in the arena"
            raise BadUpload("bad_manifest", f"{what}. There is: {known}")
    return names


def _settings(value: object) -> dict[str, Setting]:
    if not isinstance(value, dict):
        raise BadUpload("bad_manifest", "settings must be a table: write [bot.settings] above them")
    for name, setting in value.items():
        if not SETTING_SYNTAX.fullmatch(name):
            what = f"{quoted(name)} cannot be the name of a setting"
            how = "use 1 to 40 small letters, digits and _, a letter first"
            raise BadUpload("bad_manifest", f"{what}: {how}")
        if not _is_setting(setting):
            what = f"the setting {quoted(name)} must be a number, true, false or a line of text"
            raise BadUpload("bad_manifest", what)
    return value


def _is_setting(value: object) -> bool:
    if isinstance(value, str):
        return value.isprintable()
    return isinstance(value, int | float) and math.isfinite(value)
