"""The languages of bots: one row each, and no other module names them.

A language needs a row here, the image that its row names (a folder of `sandbox/images/`) and a
starter bot. The arena runs the commands of a row only inside a container of that image. At home an
author runs them on the author's own machine.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath

PLACE = "{entry}"  # in a command: the path of the entry, or of the compiled file
# Why there is no compiled file.
REFUSED = "the compiler refused it"
MADE_NOTHING = "the compiler made nothing that can be run"


@dataclass(frozen=True, slots=True)
class Language:
    """How bots of one language are recognised, compiled and run."""

    name: str  # as drapeau.toml and the database write it
    title: str
    suffixes: tuple[str, ...]  # of the entry, and of a single file that is uploaded as it is
    entry: str  # the default one; a single file gets this name
    runtime: str  # the image, by its folder
    run: tuple[str, ...]
    build: str = ""  # a shell script, see `build_command`: one file to stdout, messages to stderr
    artefact: str = ""  # the name of that file, which `run` finds in place of the entry
    magic: bytes = b""  # the first bytes of that file
    names_class: bool = False  # file names have a meaning, so a single file keeps its own
    libraries: tuple[str, ...] = ()  # besides the standard one: what a manifest may name
    refuses_mark: bool = False  # the compiler refuses the mark of UTF-8 that editors write

    @property
    def compiled(self) -> bool:
        """Return whether a bot must be compiled before it can run."""
        return bool(self.build)


# All sources of the bot are compiled. `find` lists them, because it passes on any name
# unchanged. The linker needs its libraries after them.
_CC = (
    """find "$2" -type f {sources} -exec sh -c 'bot=$1 out=$2; shift 2; """
    '{compiler} -O2 -Wall -static -pthread -I"$bot" -o "$out" "$@" -lm'
    """' cc "$2" "$3/out" {{}} + >&2 && cat "$3/out\""""
)
_GCC = _CC.format(compiler="gcc -std=gnu17", sources="-name '*.c'")
_GXX = _CC.format(compiler="g++ -std=gnu++20", sources=r"\( -name '*.cpp' -o -name '*.cc' \)")
# No annotation processor: nothing of the upload runs while it is compiled. The main class has
# the name of the entry, in the package that the source declares.
_JAVAC = r"""
PATH=/opt/java/bin:$PATH
name=$(basename "$1" .java)
jvm='-J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-Xmx512m'
out=$3/out
{
    mkdir "$3/classes" &&
    find "$2" -type f -name '*.java' -exec \
        javac $jvm -proc:none -encoding UTF-8 -cp "$3/classes" -d "$3/classes" {} + &&
    cd "$3/classes" && main=$(find . -name "$name.class" | head -n 1) &&
    if [ -z "$main" ]; then echo "$name.java holds no class $name"; exit 1; fi &&
    main=$(echo "${main#./}" | tr / .) &&
    jar $jvm --create --file "$out" --main-class "${main%.class}" .
} >&2 && cat "$out"
"""
# Messages of the virtual machine must not get among the answers, and heap, code and stacks
# together have to stay below a bot's memory limit.
_JVM = (
    *("-XX:+DisplayVMOutputToStderr", "-Xlog:disable", "-Xlog:all=warning:stderr"),
    *("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"),
    *("-Xmx128m", "-Xss1m", "-XX:MaxMetaspaceSize=32m", "-XX:ReservedCodeCacheSize=32m"),
)

LANGUAGES = (
    Language(
        "python",
        "Python",
        (".py",),
        "bot.py",
        runtime="python",
        run=("/usr/bin/python3", PLACE),
        libraries=("numpy",),
    ),
    Language(
        "node",
        "Node.js",
        (".js", ".mjs"),
        "bot.js",
        runtime="node",
        run=("/usr/bin/node", "--max-old-space-size=128", PLACE),
    ),
    Language(
        "c",
        "C",
        (".c",),
        "bot.c",
        runtime="native",
        run=(PLACE,),
        build=_GCC,
        artefact="bot",
        magic=b"\x7fELF",
    ),
    Language(
        "cpp",
        "C++",
        (".cpp", ".cc"),
        "bot.cpp",
        runtime="native",
        run=(PLACE,),
        build=_GXX,
        artefact="bot",
        magic=b"\x7fELF",
    ),
    Language(
        "java",
        "Java",
        (".java",),
        "Bot.java",
        runtime="java",
        run=("/opt/java/bin/java", *_JVM, "-jar", PLACE),
        build=_JAVAC,
        artefact="bot.jar",
        magic=b"PK\x03\x04",
        names_class=True,
        refuses_mark=True,
    ),
)
DEFAULT = LANGUAGES[0]
RUNTIMES = tuple(dict.fromkeys(language.runtime for language in LANGUAGES))


def find(name: str) -> Language | None:
    """Return the language of that name, or None."""
    return next((language for language in LANGUAGES if language.name == name), None)


def of_file(filename: str) -> Language | None:
    """Return the language of a file by its suffix, or None."""
    suffix = PurePosixPath(filename.replace("\\", "/")).suffix.lower()
    return next((language for language in LANGUAGES if suffix in language.suffixes), None)


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that may be uploaded on their own."""
    return tuple(suffix for language in LANGUAGES for suffix in language.suffixes)


def run_command(language: Language, path: str) -> list[str]:
    """Return the command that plays the entry, or the compiled file, at a path."""
    return [path if word == PLACE else word for word in language.run]


def build_command(language: Language, entry: str, *, folder: str, scratch: str) -> list[str]:
    """Return the command that compiles the bot in a folder and writes one file to stdout.

    `entry` is a path in the folder. `scratch` is an empty folder for the compiler. Both folders are
    absolute paths.
    """
    return ["/bin/sh", "-c", language.build, "build", f"{folder}/{entry}", folder, scratch]
