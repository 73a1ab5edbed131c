"""The console of organizers as tests read it."""

import re

from django.urls import reverse


def url(cup, page="manage", *args):
    return reverse(f"tournament-{page}", args=[cup.slug, *args])


def act_url(cup, act, **query):
    pairs = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{url(cup, 'act', act)}?{pairs}"


def text(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def hidden(answer, name):
    (value,) = re.findall(rf'name="{name}" value="([^"]*)"', answer.content.decode())
    return value
