"""The languages that bots are written in: one row each, and nothing else names them.

A language needs a row here, the image that its row names (a folder of `sandbox/images/`) and a
starter bot. What a row runs, it runs inside a container of that image.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath

PLACE = "{entry}"  # in a command: the path of the entry, or of what was built
COMPILE = 'cd /tmp && {compiler} -o out $(find /bot -name "*.{suffix}") && cat out'


@dataclass(frozen=True, slots=True)
class Language:
    """How bots of one language are recognised, compiled and run."""

    name: str  # as drapeau.toml and the database call it
    title: str
    suffix: str  # of the entry, and of a single file that is uploaded as it is
    runtime: str  # the image, by its folder
    run: tuple[str, ...]
    build: tuple[str, ...] = ()  # writes one file to stdout and what it has to say to stderr
    artefact: str = ""  # the name of that file, which `run` finds in place of the entry

    @property
    def compiled(self) -> bool:
        """Tell whether a bot has to be built before it can be run."""
        return bool(self.build)


def _shell(script: str) -> tuple[str, ...]:
    return ("/bin/sh", "-c", script, "build", PLACE)


def _cc(compiler: str, suffix: str) -> tuple[str, ...]:
    return _shell(COMPILE.format(compiler=compiler, suffix=suffix))


_JAVAC = (
    'cd /tmp && javac -encoding UTF-8 -d classes $(find /bot -name "*.java") >&2'
    ' && main="${1#/bot/}" && main="${main%.java}"'
    ' && jar --create --file out --main-class "$(echo "$main" | tr / .)" -C classes . && cat out'
)
# Heap, code and stacks together have to stay below a bot's memory.
_JVM = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-Xss512k", "-Xshare:auto")

LANGUAGES = (
    Language("python", "Python", ".py", "python", ("/usr/bin/python3", PLACE)),
    Language("node", "Node.js", ".js", "node", ("/usr/bin/node", PLACE)),
    Language(
        *("c", "C", ".c", "native", (PLACE,)),
        build=_cc("gcc -std=gnu17 -O2 -static -I/bot", "c"),
        artefact="bot",
    ),
    Language(
        *("cpp", "C++", ".cpp", "native", (PLACE,)),
        build=_cc("g++ -std=gnu++20 -O2 -static -I/bot", "cpp"),
        artefact="bot",
    ),
    Language(
        *("java", "Java", ".java", "java", ("/usr/bin/java", *_JVM, "-jar", PLACE)),
        build=_shell(_JAVAC),
        artefact="bot.jar",
    ),
)
RUNTIMES = tuple(dict.fromkeys(each.runtime for each in LANGUAGES))


def find(name: str) -> Language | None:
    """Give the language of that name, if there is one."""
    return next((each for each in LANGUAGES if each.name == name), None)


def of_file(filename: str) -> Language | None:
    """Give the language of a file by its suffix, if there is one."""
    suffix = PurePosixPath(filename.replace("\\", "/")).suffix.lower()
    return next((each for each in LANGUAGES if each.suffix == suffix), None)
