"""What people name: a bot as `owner/bot`, a version by its number, a ladder by its short name."""

from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.models import Bot, Ladder, Version
from arena.texts import lists

MOST_DIGITS = 9  # of the number of a version
NO_TEXT = "\0"  # which PostgreSQL stores in no text


def split(name: str, *, field: str = "") -> tuple[str, str]:
    """Return owner and bot of `owner/bot` or `@owner/bot`. Raise Refused: `malformed_bot`."""
    owner, _slash, bot = name.strip().removeprefix("@").partition("/")
    if not owner or not bot or "/" in bot or NO_TEXT in name:
        text = _("“%(name)s” is not the name of a bot. Write owner/bot, such as ada/greedy.")
        raise Refused("malformed_bot", text % {"name": name[:80]}, field=field)
    return owner, bot


def find_bot(name: str, *, field: str = "") -> Bot:
    """Return the bot `owner/bot` with its owner and its active version.

    Raise Refused: `malformed_bot`, `unknown_bot`.
    """
    owner, slug = split(name, field=field)
    rows = Bot.objects.select_related("owner", "active_version__bot__owner")
    bot = rows.filter(owner__username=owner, slug=slug).first()
    if bot is None:
        raise Refused("unknown_bot", no_bot(f"{owner}/{slug}"), field=field)
    return bot


def no_bot(name: str) -> str:
    """Return the sentence about a bot that is not there."""
    return _("There is no bot %(name)s.") % {"name": name[:80]}


def find_version(bot: Bot, number: int | str, *, field: str = "version") -> Version:
    """Return the version of a bot with a number, which may be a text. Raise Refused."""
    digits = str(number).strip()
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS
    rows = bot.versions.select_related("bot__owner")
    version = rows.filter(number=int(digits)).first() if is_number else None
    if version is None:
        text = _("%(bot)s has no version %(number)s.") % {"bot": bot, "number": digits[:20]}
        raise Refused("no_such_version", text, field=field)
    return version


def find_ladder(slug: str, *, field: str = "") -> Ladder:
    """Return a ladder by its short name. Raise Refused: `unknown_ladder`."""
    ladder = None if NO_TEXT in slug else Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        known = lists.all_of(Ladder.objects.values_list("slug", flat=True))
        text = _("There is no ladder %(name)s. The ladders are: %(known)s.")
        raise Refused("unknown_ladder", text % {"name": slug, "known": known}, field=field)
    return ladder
