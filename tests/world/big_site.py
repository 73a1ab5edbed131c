"""Fill the tables of a migrated PostgreSQL with a site of any size, by a few statements.

The shares are those of a busy site: one bot plays in every twentieth match, the first bots play
much, most of them little. Half of the bots have a second version, which played the later half of
their matches. One season is over. Nothing was played, so games have no records, except those of the
newest matches, for the home page: they get a record of another game of their ladder, if any.
"""

from datetime import datetime, timedelta

from django.db import connection

from arena.models import Ladder

GAMES = 2  # of a match
LADDERS = ("classic", "general")  # all bots are on both; the first one has six of seven matches
SPAN = timedelta(days=365)  # in which the matches were played
IN_FILE, UNFILED = 500, 400  # matches in a file of records, and the latest ones that are in none
WAITING = 40  # matches in the queue, and as many versions before their checks

# In each statement, `n` counts the rows from 1.
_USERS = """
INSERT INTO arena_user (id, username, password, email, first_name, last_name, is_superuser,
    is_staff, is_active, date_joined)
SELECT %(user)s + n, 'big' || n, '!', '', '', '', false, false, true, %(began)s
FROM generate_series(1, (%(bots)s + 1) / 2) n"""
_BOTS = """
INSERT INTO arena_bot (id, owner_id, slug, name, description, is_paused, created_at,
    accepts_challenges, gate_new_versions, active_version_id)
SELECT %(bot)s + n, %(user)s + (n + 1) / 2, 'bot' || n, 'Bot ' || n, '', n %% 50 = 0,
    %(began)s + n * interval '1 second', true, false, %(version)s + 2 * n - n %% 2
FROM generate_series(1, %(bots)s) n"""
_VERSIONS = """
INSERT INTO arena_version (id, bot_id, number, digest, filename, size_bytes, language, variants,
    status, reason, created_at, first_game_at, attempt, lease_token, waiting_reason, isolation,
    crash_streak, pause_reason, queued_at, taken_at, left_at)
SELECT %(version)s + 2 * n - 2 + number, %(bot)s + n, number, md5(n::text) || md5(number::text),
    'bot.py', 2000, 'python', '[]', 'ready', '', at, at + interval '1 minute', 1, '', '',
    'docker', 0, '', at, at + interval '5 seconds', at + interval '20 seconds'
FROM generate_series(1, %(bots)s) n, generate_series(1, 2 - n %% 2) number,
    LATERAL (SELECT %(began)s + number * n * interval '1 second' AS at) times"""
_CHECKS = """
INSERT INTO arena_versioncheck (version_id, step, position, state, message, log, took_ms)
SELECT id, 'scanned', 1, 'passed', '', '', 100 FROM arena_version WHERE id > %(version)s"""
_UPLOADS = """
INSERT INTO arena_version (id, bot_id, number, digest, filename, size_bytes, language, variants,
    status, reason, created_at, attempt, lease_token, waiting_reason, isolation, crash_streak,
    pause_reason, queued_at)
SELECT %(version)s + 2 * %(bots)s + n, %(bot)s + n, 3, '', 'bot.py', 2000, 'python', '[]',
    'uploaded', '', %(until)s, 0, '', '', '', 0, '', %(until)s
FROM generate_series(1, %(waiting)s) n"""
_ENTRANTS = """
INSERT INTO arena_entrant (ladder_id, bot_id, version_id, online_elo, games, wins, draws, losses,
    rating, rating_low, rating_high, best_rank, worst_rank, deferred_until_s, active,
    entered_at, last_match_at, waits_since)
SELECT ladder, bot.id, bot.active_version_id, 1500, n %% 90 + 3, n %% 90, 1, 2,
    CASE WHEN n %% 20 <> 0 THEN rating END, CASE WHEN n %% 20 <> 0 THEN rating - 60 END,
    CASE WHEN n %% 20 <> 0 THEN rating + 60 END, 1, n, 0, true, bot.created_at,
    %(until)s - CASE WHEN n %% 10 = 0 THEN interval '300 days' ELSE n %% 900 * interval '1 s' END,
    %(until)s - n %% 900 * interval '1 s'
FROM (SELECT id, active_version_id, created_at, id - %(bot)s AS n FROM arena_bot) bot,
    unnest(ARRAY[%(main)s, %(side)s]) ladder,
    LATERAL (SELECT 1500 + 300 * sin(n) + 100 * sin(7 * n + ladder) AS rating) drawn
WHERE n > 0"""
# The busy bot is the second one; the others are drawn by the square of a random number.
_DRAWN = """
CREATE TEMPORARY TABLE drawn AS
SELECT n, one, (one + 1 + floor((%(bots)s - 1) * random() ^ 2)::int) %% %(bots)s AS other,
    CASE WHEN n %% 7 = 0 THEN %(side)s ELSE %(main)s END AS ladder,
    CASE WHEN n > %(matches)s - %(waiting)s THEN 'queued' WHEN n %% 100 = 1 THEN 'cancelled'
        WHEN n %% 500 = 2 THEN 'failed' ELSE 'finished' END AS status,
    CASE WHEN n %% 40 = 3 AND n <= %(matches)s - %(waiting)s THEN 'challenge' ELSE 'ladder' END
        AS kind,
    %(began)s + n * (%(until)s - %(began)s) / %(matches)s AS at
FROM (SELECT n, CASE WHEN n %% 20 = 0 THEN 1 ELSE floor(%(bots)s * random() ^ 2)::int END AS one
    FROM generate_series(1, %(matches)s) n) drawing"""
# All but the latest matches are in files of records, one for so many of both ladders.
_FILES = """
INSERT INTO arena_recordfile (id, ladder_id, day, number, revision, made_at, games, size_bytes,
    digest, blob)
SELECT %(recordfile)s + 2 * number + CASE WHEN ladder = %(side)s THEN 1 ELSE 0 END, ladder,
    (%(began)s)::date, number, 1, %(until)s, 0, 0, '', ''
FROM generate_series(1, 1 + %(matches)s / %(in_file)s) number,
    unnest(ARRAY[%(main)s, %(side)s]) ladder"""
_MATCHES = """
INSERT INTO arena_match (id, public_id, ladder_id, kind, status, secret, place, finish_number,
    record_file_id, failure, release, attempt, lease_token, waiting_reason, created_at, queued_at,
    taken_at, started_at, left_at, finished_at)
SELECT %(match)s + n, 'm_' || substr(md5(n::text), 1, 6) || to_hex(n), ladder, kind, status, '',
    '', CASE WHEN status = 'finished' AND kind = 'ladder' THEN %(place)s + n END,
    CASE WHEN status = 'finished' AND n < %(matches)s - %(unfiled)s THEN %(recordfile)s
        + 2 * (1 + n / %(in_file)s) + CASE WHEN ladder = %(side)s THEN 1 ELSE 0 END END,
    CASE WHEN status = 'failed' THEN 'The host failed.' ELSE '' END, 'public',
    CASE WHEN status = 'queued' THEN 0 ELSE 1 END, '', '', at, at, begun, begun, ended, ended
FROM drawn, LATERAL (SELECT CASE WHEN status <> 'queued' THEN at + interval '9 s' END AS begun,
    CASE WHEN status <> 'queued' THEN at + interval '60 s' END AS ended) times"""
_MATCH_ENTRANTS = """
INSERT INTO arena_matchentrant (match_id, position, version_id, points)
SELECT %(match)s + n, position, %(version)s + 2 * bot + CASE WHEN bot %% 2 = 0
    OR n < %(matches)s / 2 THEN 1 ELSE 2 END, CASE WHEN status = 'finished' THEN
    2 - abs(2 * position - n %% 3) END
FROM drawn, LATERAL (VALUES (0, one), (1, other)) seated(position, bot)"""
_GAMES = """
INSERT INTO arena_game (match_id, number, take, seats, status, outcome, termination, fault, detail,
    plies, duration_ms, isolation)
SELECT %(match)s + n, number, 1, CASE WHEN number = 1 THEN '{"red": 0, "blue": 1}'::jsonb
    ELSE '{"red": 1, "blue": 0}' END, CASE WHEN status = 'finished' THEN status ELSE 'created' END,
    CASE WHEN status = 'finished' THEN '{"red": 1, "blue": 0}'::jsonb END,
    CASE WHEN status <> 'finished' THEN '' WHEN n %% 200 = 7 THEN 'crash'
        ELSE 'flag_captured' END,
    CASE WHEN status = 'finished' AND n %% 200 = 7 THEN 'red' ELSE '' END, '', 300, 20000, ''
FROM drawn, generate_series(1, 2) number"""
_RECORDS = """
INSERT INTO arena_gamerecord (game_id, blob)
SELECT game.id, (SELECT record.blob FROM arena_gamerecord record
    JOIN arena_game played ON played.id = record.game_id
    JOIN arena_match match ON match.id = played.match_id
    WHERE match.ladder_id = newest.ladder LIMIT 1)
FROM (SELECT n, ladder FROM drawn WHERE status = 'finished' ORDER BY n DESC LIMIT 3) newest
    JOIN arena_game game ON game.match_id = %(match)s + newest.n
WHERE EXISTS (SELECT FROM arena_gamerecord)"""
_EVENTS = """
INSERT INTO arena_ratingevent (ladder_id, match_id, version_id, finish_number, before, after,
    expected, score, wins, draws, losses, returned, created_at)
SELECT entry.ladder, entry.match, seat.version_id, entry.place, 1500, 1505, 0.5,
    seat.points / 2, CASE WHEN seat.points > 1 THEN 2 ELSE 0 END,
    CASE WHEN seat.points = 1 THEN 2 ELSE 0 END, CASE WHEN seat.points < 1 THEN 2 ELSE 0 END,
    false, entry.at
FROM (SELECT n, ladder, at, %(match)s + n AS match, %(place)s + n AS place FROM drawn
    WHERE status = 'finished' AND kind = 'ladder') entry
    JOIN arena_matchentrant seat ON seat.match_id = entry.match"""
_SEASONS = """
INSERT INTO arena_season (ladder_id, number, first_finish_number, last_finish_number, began_at,
    ended_at, rating_model)
SELECT id, season_number, %(place)s + 1, %(place)s + %(matches)s / 2, %(began)s, %(until)s, 1
FROM arena_ladder WHERE id = %(main)s"""
_STANDINGS = """
INSERT INTO arena_seasonstanding (season_id, rank, bot_id, version_id, rating, rating_low,
    rating_high, best_rank, worst_rank, games, wins, draws, losses)
SELECT season.id, row_number() OVER (ORDER BY entry.rating DESC NULLS LAST, entry.bot_id),
    entry.bot_id, entry.version_id, entry.rating, entry.rating_low, entry.rating_high, 1, 1,
    entry.games, entry.wins, entry.draws, entry.losses
FROM arena_season season JOIN arena_entrant entry ON entry.ladder_id = season.ladder_id
WHERE season.ladder_id = %(main)s AND season.last_finish_number > %(place)s"""
_NOTICES = """
INSERT INTO arena_notice (user_id, text, url, created_at, read_at)
SELECT %(user)s + CASE WHEN n %% 2 = 0 THEN 1 ELSE 1 + n %% ((%(bots)s + 1) / 2) END,
    'A version is ready.', '', %(began)s + n * interval '1 s', %(until)s
FROM generate_series(1, %(bots)s) n"""
_LADDERS = """
UPDATE arena_ladder SET next_finish_number = %(place)s + %(matches)s + 1,
    matches_made = matches_made + %(matches)s, fitted_in_s = 10,
    season_number = season_number + CASE WHEN id = %(main)s THEN 1 ELSE 0 END
WHERE id IN (%(main)s, %(side)s)"""
_STATEMENTS = (
    *(_USERS, _BOTS, _VERSIONS, _CHECKS, _UPLOADS, _ENTRANTS, _DRAWN, _FILES, _MATCHES),
    *(_MATCH_ENTRANTS, _GAMES, _RECORDS, _EVENTS, _SEASONS, _STANDINGS, _NOTICES, _LADDERS),
)
_LAST = "SELECT coalesce(max(id), 0) FROM {0}"
_GO_ON = "SELECT setval(pg_get_serial_sequence('{0}', 'id'), max(id)) FROM {0}"
_COUNTED = ("user", "bot", "version", "match", "recordfile")


def fill(*, bots: int, games: int, until: datetime) -> None:
    """Add bots and games to two ladders of the database; the latest match is of `until`.

    The role of the connection has to be a superuser: foreign keys are not checked. The bots have
    to be more than the versions that wait.
    """
    ladders = list(Ladder.objects.filter(slug__in=LADDERS).order_by("slug"))
    values: dict[str, int | datetime] = {
        "bots": bots,
        "matches": games // GAMES,
        "began": until - SPAN,
        "until": until,
        "waiting": WAITING,
        "in_file": IN_FILE,
        "unfiled": UNFILED,
        "main": ladders[0].pk,
        "side": ladders[1].pk,
        "place": max(row.next_finish_number for row in ladders),
    }
    with connection.cursor() as cursor:
        for name in _COUNTED:
            cursor.execute(_LAST.format(f"arena_{name}"))
            values[name] = cursor.fetchone()[0]
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SELECT setseed(0.5)")
        for statement in _STATEMENTS:
            cursor.execute(statement, values)
        for name in _COUNTED:
            cursor.execute(_GO_ON.format(f"arena_{name}"))
        cursor.execute("DROP TABLE drawn")
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("SET default_statistics_target = 1000")  # so that no plan depends on chance
        cursor.execute("ANALYZE")
        cursor.execute("RESET default_statistics_target")
