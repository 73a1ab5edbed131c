"""Streams of marks over real connections: what they say, to whom, and what they do not tell."""

import pytest

from arena.domain import marks
from arena.domain.tournaments import stages
from tests.factories import claim, get_ladder, make_begun_match, make_match
from tests.integration.server.served import ask, cookies_of, watching
from tests.integration.tournaments import making, playing
from tests.integration.web.played import finish_games

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("impatient")]


def next_mark(watcher):
    """Return the id of the next mark. Nothing else has come, and it has nothing in it."""
    ((kind, mark, data),) = watcher.read_until("mark")
    assert (kind, set(data)) == ("mark", {"spread_ms"})
    return mark


def start():
    return make_begun_match(ladder=get_ladder("general"))


def test_list_mark_changes_when_match_begins(site):
    pages = ("/matches/changes/", "/queue/changes/")
    with watching(f"{site}{pages[0]}") as matches, watching(f"{site}{pages[1]}") as queue:
        before = [next_mark(watcher) for watcher in (matches, queue)]

        start()

        assert next_mark(matches) != before[0]
        assert next_mark(queue) != before[1]
    with watching(f"{site}{pages[0]}?after={before[0]}") as late:
        assert next_mark(late) != before[0]


def test_match_page_has_marks_until_match_is_over(site):
    match = make_match(ladder=get_ladder("general"))
    url = f"{site}/matches/{match.public_id}/changes/"
    with watching(url) as watcher:
        next_mark(watcher)
        lease = claim(match)
        next_mark(watcher)

        finish_games(lease, match)

        next_mark(watcher)
    assert ask(url).status_code == 204


def test_returning_watcher_is_told_only_another_mark(site):
    url = f"{site}/matches/changes/"
    with watching(url) as watcher:
        before = next_mark(watcher)

    with (
        watching(f"{url}?after={before}") as asking,
        watching(url, after=before) as browser,
        watching(url) as other,
    ):
        next_mark(other)
        start()
        mark = next_mark(other)
        assert next_mark(asking) == next_mark(browser) == mark != before


def test_viewers_without_the_round_hear_nothing_of_it(site):
    """The stream of the visitor says nothing until the pause, which everybody sees."""
    cup = playing.play_round(playing.begin(4, release="entrants"))
    url = f"{site}/tournaments/{cup.slug}/changes/"
    owner, organizer = cup.entrants.first().bot.owner, making.organizer(cup)
    with (
        watching(url) as visitor,
        watching(url, cookies=cookies_of(owner)) as entrant,
        watching(url, cookies=cookies_of(organizer)) as manager,
    ):
        first = [next_mark(each) for each in (visitor, entrant, manager)]
        assert len(set(first)) > 1
        for match in playing.matches_of(cup, 2):
            playing.finish(match)
            next_mark(entrant)
            next_mark(manager)
        assert len(visitor.events) == 1

        stages.pause(tournament=cup, by=organizer, reason="A pause.")

        paused = marks.of_tournament(tournament=making.fresh(cup), viewer=None)
        mark = marks.marks(subjects=[paused])[paused]
        while next_mark(visitor) != mark:  # the one before it, if it was made amid the pause
            pass


def test_hidden_match_and_draft_have_no_public_stream(site):
    cup = playing.begin(4, release="hidden")
    match = playing.matches_of(cup)[0]
    draft = making.make_draft()
    urls = [
        f"{site}/matches/{match.public_id}/changes/",
        f"{site}/tournaments/{draft.slug}/changes/",
    ]

    assert [ask(url, "HEAD").status_code for url in urls] == [404, 404]
    cookies = [cookies_of(making.organizer(each)) for each in (cup, draft)]
    assert [
        ask(url, "HEAD", headers={"Cookie": cookie}).status_code
        for url, cookie in zip(urls, cookies, strict=True)
    ] == [200, 200]

    with watching(urls[0], cookies=cookies[0]) as watcher:
        next_mark(watcher)
        type(match).objects.filter(pk=match.pk).update(release="public")
        assert watcher.has_ended() == []  # whoever watches is checked anew


def test_one_question_is_asked_for_all_who_watch(site, monkeypatch):
    asked = []
    find = marks.marks

    def counted(*, subjects):
        asked.append(len(subjects))
        return find(subjects=subjects)

    monkeypatch.setattr(marks, "marks", counted)
    with (
        watching(f"{site}/matches/changes/") as one,
        watching(f"{site}/matches/changes/") as two,
        watching(f"{site}/queue/changes/") as three,
    ):
        for watcher in (one, two, three):
            next_mark(watcher)
    assert max(asked) == 2
