"""No page and no list of the API reads many rows, however many the site has.

A site with all kinds of rows gets thousands of bots and matches. Each statement that an address
sends is run again with EXPLAIN ANALYZE, which says how many rows every part of its plan has read.
"""

import logging
import re
from collections.abc import Callable
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from random import Random

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.postgresql.psycopg_any import mogrify
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from arena.domain.bots import probes, trials
from arena.domain.ladders import leaderboards
from arena.domain.matches import record_files, retention
from arena.domain.queue import dispatch, matchmaking, metrics, sweeping
from arena.domain.ratings import refits
from arena.models import Ladder, Match, User, keyset
from tests import database_role, databases
from tests.integration.api import rows
from tests.permissions import table
from tests.permissions.actors import Actors
from tests.permissions.walking import route_of, section_of
from tests.world import big_site, making

pytestmark = pytest.mark.slow

BOTS, GAMES = 3_000, 100_000
MOST = 2_500  # rows that one part of a plan may read for a page
# `keyset.latest` reads all matches since a bound, or all of a bot: what is less is always bounded.
MOST_OF_THE_NEWEST = 10_000
NEWEST_FIRST = re.compile(r' \+ 0\) DESC LIMIT|\) AS "last" FROM')
MORE = re.compile(r"%s(?:, %s)+")  # a list of values is as good as one of them
# A table of thousands of rows is read as a whole where one of a million would not be.
WHOLE_TABLES = ("seqscan", "hashjoin", "mergejoin")
LARGE = [
    *("arena_match", "arena_matchentrant", "arena_game", "arena_gamelog"),
    *("arena_gameevidence", "arena_ratingevent"),
]
BEGINNINGS = """
SELECT one.indexrelid::regclass::text FROM pg_index one JOIN pg_index other USING (indrelid)
WHERE indrelid = ANY (%s::regclass[]) AND NOT one.indisunique
    AND other.indkey::text LIKE one.indkey::text || ' %%'
    AND coalesce(one.indexprs, one.indpred, other.indexprs, other.indpred) IS NULL"""
# Those of foreign keys stay: a row may be deleted that rows of the large table might name.
NEITHER_UNIQUE_NOR_OF_A_FOREIGN_KEY = """
SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
WHERE indrelid = ANY (%s::regclass[]) AND NOT indisunique AND NOT EXISTS (SELECT FROM pg_constraint
    WHERE conrelid = indrelid AND contype = 'f' AND conkey::int2[] = indkey::int2[])"""
EXPLAIN = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "


# What beat and runners do with the large tables.


def make_record_files():
    """Make the next files of one ladder, which has the smaller part of the matches without one."""
    *_, smaller = big_site.LADDERS
    Ladder.objects.exclude(slug=smaller).update(filed_until=timezone.now().date())
    Ladder.objects.filter(slug=smaller).update(filed_until=None)
    record_files.make_due()


JOBS: list[Callable[[], object]] = [
    *(partial(matchmaking.fill, random=Random(1)), partial(probes.send, random=Random(1))),
    *(trials.advance, sweeping.sweep),
    *(dispatch.claim_next, make_record_files, retention.prune),
    lambda: refits.at(ladder=Ladder.objects.get(slug="classic"), place=1),
    lambda: refits.is_due(ladder=Ladder.objects.get(slug="classic")),
]


class Reads:
    """Runs each statement again that goes through Django's connection, and keeps what reads much.

    It also keeps the names of the indexes that the database used. Of statements that differ in
    their values only, the first one of an address is looked at; the same statement is once.
    """

    def __init__(self):
        self.much = {}
        self.indexes = set()
        self.seen = set()

    @contextmanager
    def by(self, address):
        """Look at what is sent in the block."""

        def look(execute, sql, params, many, context):
            shape = address, MORE.sub("%s", str(sql))
            if shape[1].startswith("SELECT") and shape not in self.seen:
                text = mogrify(sql, params, connection)
                if text not in self.seen:
                    self._explain(address, text)
                self.seen |= {shape, text}
            return execute(sql, params, many, context)

        with connection.execute_wrapper(look):
            yield

    def _explain(self, address, sql):
        usual = plan_of(sql, ())
        self.indexes.update(indexes_in(usual))
        most = MOST_OF_THE_NEWEST if NEWEST_FIRST.search(sql) else MOST
        if max(rows_read(usual))[0] > most:
            read = max(rows_read(plan_of(sql, WHOLE_TABLES)))
            if read[0] > most:
                self.much[address, sql] = read


def plan_of(sql, avoided):
    """Return how the database ran a statement without some ways to join and to read tables."""
    with transaction.atomic(), connection.cursor() as cursor:
        for way in avoided:
            cursor.execute(f"SET LOCAL enable_{way} = off")
        cursor.execute(EXPLAIN + sql)
        plan = cursor.fetchone()[0][0]["Plan"]
        for way in avoided:
            cursor.execute(f"SET LOCAL enable_{way} = on")
    return plan


def indexes_in(plan):
    """Yield the names of the indexes of a plan."""
    if "Index Name" in plan:
        yield plan["Index Name"]
    for part in plan.get("Plans", ()):
        yield from indexes_in(part)


def rows_read(plan):
    """Yield how many rows each part of a plan reads from which table."""
    table = plan.get("Relation Name", "")
    kinds = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
    yield plan["Actual Loops"] * sum(plan.get(kind, 0) for kind in kinds) if table else 0, table
    for part in plan.get("Plans", ()):
        yield from rows_read(part)


@pytest.fixture(scope="module")
def asked(django_db_setup, django_db_blocker):
    """Make a site with all kinds of rows, and with many of most kinds; return its addresses."""
    name = f"{connection.settings_dict['NAME']}_big"
    with django_db_blocker.unblock(), databases.fresh(name):
        call_command("migrate", verbosity=0)
        with connection.cursor() as cursor:
            for table in connection.introspection.table_names(cursor):
                # New statistics, of a sample, would change plans meanwhile.
                cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
        database_role.make()
        with override_settings(OPEN_TOURNAMENTS_PER_USER=12):
            making.make()
        found = of_each_route()
        # At a fixed time of the day: how much of a day there is decides how a query is planned.
        noon = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)
        big_site.fill(bots=BOTS, games=GAMES, until=noon - timedelta(days=1))
        yield [*found, *long_lists()]


def of_each_route():
    """Return the first address of each route in the table of permissions, without the admin."""
    filled = Actors().filled
    rows_ = table.rows_of(table.FILE.read_text(encoding="utf-8"))
    known = [filled(row.address) for row in rows_ if row.method == "GET"]
    asked_ = [address for address in known if section_of(address) != "admin"]
    return list({route_of(address): address for address in reversed(asked_)}.values())


def long_lists():
    """Return addresses of what is long, at its beginning, in its middle and at its end."""
    ladder = Ladder.objects.get(slug="classic")
    ranked = ladder.entrants.ranked().order_by("-rating")[BOTS // 2]
    middle = keyset.written([0, ranked.rating, ranked.bot_id])
    end = keyset.written([2, ladder.entrants.latest("bot").bot_id - 100])
    old = Match.objects.order_by("created_at")[GAMES // 20].public_id
    listed = "/matches/?{}", "/matches/?{}&before=" + old
    wanted = (
        *("", "bot=big1/bot2", "bot=big40/bot79", "bot=big1/bot2&opponent=big2/bot4"),
        *("ladder=general", "kind=challenge", "rated=no", "status=finished", "since=2020-01-01"),
        *("kind=probe", "status=failed", "termination=flag_captured", "termination=crash"),
        *(
            "termination=timeout",
            "termination=crash&ladder=general",
            "termination=crash&status=failed",
        ),
    )
    places = (f"?after={middle}", f"?before={middle}", f"?after={end}")
    return [
        *(f"/ladders/classic/{place}" for place in places),
        *(f"/api/v1/ladders/classic/entries{place}" for place in places),
        f"/ladders/classic/seasons/2/?after={keyset.written([BOTS // 10, 0])}",
        f"/api/v1/ladders/classic/seasons/2?after={keyset.written([BOTS // 10, 0])}",
        f"/bots/?after={keyset.written(['big700', 'bot1400'])}",
        *("/bots/big1/bot2/", "/bots/big40/bot79/", f"/bots/{ranked.bot}/"),
        *(
            f"/search/?q={name}"
            for name in ("b", "bot", "Bot 1", "bot2000", "big", "big1/bot", "@b")
        ),
        *("/sitemap-bots.xml?p=2", "/bots/big1/bot2/results.atom", f"/search/?q={old}"),
        "/staff/annul/?ladder=classic&bot=big1/bot2",
        *("/bots/big1/bot2/versions/1/", "/bots/big1/bot2/vs/big2/bot4/", "/@big1/"),
        *("/api/v1/bots/big1/bot2", "/api/v1/bots/big1/bot2/vs/big2/bot4"),
        *(form.format(words) for form in listed for words in wanted),
        *(f"/api/v1/matches?{words}" for words in wanted[:4]),  # which asks as the page does
    ]


@pytest.fixture
def ask(asked, db, monkeypatch):
    """Return a function that asks for an address, as the first of several who gets an answer."""
    cache.clear()
    logging.disable(logging.CRITICAL)
    monkeypatch.setattr(leaderboards, "MILESTONES_KEPT_S", 3600)
    for ladder in Ladder.objects.filter(slug__in=big_site.LADDERS):
        last = ladder.entrants.ranked().earliest("rating")
        leaderboards.standings_of(bot=last.bot)  # counts the milestones, as once a minute
    people = [User.objects.get(username=name) for name in ("owner", "organizer", "staff")]
    pages = [Client() for _ in people]
    for client, user in zip(pages, people, strict=True):
        client.force_login(user)
    tokens = [{"Authorization": f"Bearer {rows.token(user)}"} for user in people]
    programs = [Client(headers=each) for each in tokens]

    def found(address):
        for client in programs if address.startswith("/api/") else pages:
            status = client.get(address, secure=True).status_code
            if status not in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
                break
        return status

    yield found
    logging.disable(logging.NOTSET)


def test_no_page_reads_more_rows_than_it_needs(asked, ask):
    reads = Reads()

    answers = {}
    for address in asked:
        with transaction.atomic(), reads.by(address):
            answers[address] = ask(address)
            transaction.set_rollback(True)
    with reads.by("/metrics"):
        metrics.exposition()
    jobs = Reads()
    for job in JOBS:
        with transaction.atomic(), jobs.by(job):
            job()
            transaction.set_rollback(True)

    assert sum(status == HTTPStatus.OK for status in answers.values()) > 120
    assert reads.much == {}
    assert unused(reads.indexes | jobs.indexes) == set()


def unused(used):
    """Return the indexes of large tables that take place and are written for nothing."""
    with connection.cursor() as cursor:
        cursor.execute(NEITHER_UNIQUE_NOR_OF_A_FOREIGN_KEY, [LARGE])
        return {name for (name,) in cursor.fetchall()} - used


def test_no_large_table_index_is_beginning_of_another(db):
    """It would take place and be written for nothing."""
    with connection.cursor() as cursor:
        cursor.execute(BEGINNINGS, [LARGE])
        assert cursor.fetchall() == []
