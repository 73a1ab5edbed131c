"""What tokens may be used for, and what mails about notices say."""

from django.utils.translation import gettext_lazy as _

from arena.texts import Text

SCOPES: dict[str, Text] = {
    "read": _("read what you may read"),
    "bots:write": _("create bots and upload versions"),
    "challenges:write": _("ask for challenges and cancel them"),
    "seats:write": _("play games with a program at home"),
    "tournaments:write": _("enter, make and direct tournaments"),
    "staff:write": _("correct ladders, where you are staff"),
}

# By the kind of the notice.
MAIL_SUBJECTS: dict[str, Text] = {
    "version_rejected": _("[%(site)s] A version of your bot was rejected"),
    "version_paused": _("[%(site)s] Your bot is paused"),
    "game_forfeited": _("[%(site)s] Your bot forfeited a game"),
    "tournament_started": _("[%(site)s] A tournament with your bot begins"),
    "tournament_over": _("[%(site)s] A tournament with your bot is over"),
}
MAIL_BODY = _("""Hello %(user)s,

%(text)s

What it is about: %(page)s

To get no more mail of this kind, open this page and press the button: %(stop)s
What the site mails to you: %(preferences)s
""")
MAIL_BODY_OF_LAST = _("""Hello %(user)s,

%(text)s

What it is about: %(page)s

This is mail %(limit)d within 24 hours, so the site sends you no more of them for now.
Further news is on the site, under Messages.

To get no more mail of this kind, open this page and press the button: %(stop)s
What the site mails to you: %(preferences)s
""")
