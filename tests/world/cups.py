"""The tournaments of the site: every status, every format, rehearsals, incidents."""

from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Disqualify, Substitute
from arena.domain.tournaments.interventions.extensions import AddMatches
from arena.domain.tournaments.interventions.matches import Award, Void
from arena.domain.tournaments.rehearsal import rehearsals
from arena.domain.tournaments.rounds import directing
from arena.models import Bot, VersionStatus
from tests import factories
from tests.integration.tournaments import making, playing, rows
from tests.integration.web import played
from tests.world.bots import FILLERS

DUELISTS = (
    "alpha", "beta", "star-ann", "star-ben", "star-cleo", "star-dan", "delta", "quiet"
)  # fmt: skip
GROUPS = {"groups": 2, "qualifiers": 1}
BESIEGERS = tuple(f"siege-{name}" for name in ("owner", "other", *FILLERS))


def make(people):
    """Make tournaments before the freeze, under way and over."""
    organizer = people.organizer
    _make_drafts(organizer)
    _make_registrations(people)
    _make_frozen(organizer)
    _make_running(organizer)
    _make_incidents(organizer)
    _make_paused(organizer)
    _make_over(organizer)


def begun(name, by, bots, names=DUELISTS, **values):
    """Start a tournament of the first so many of these bots, and draw its first round."""
    cup = opened(name, by, bots, names, **{"min_entrants": max(2, bots), **values})
    for step in (stages.freeze, stages.start):
        cup = step(tournament=cup, by=by)
    directing.advance(tournament_pk=cup.pk)
    return making.fresh(cup)


def opened(name, by, bots, names=DUELISTS, **values):
    """Make a tournament that the first so many of these bots have entered."""
    cup = making.make_open(by=by, **{"name": f"Cup {name}", "slug": f"cup-{name}", **values})
    for slug in names[:bots]:
        bot = Bot.objects.select_related("owner").get(slug=slug)
        entries.enter(tournament=cup, bot=bot, by=bot.owner)
    return making.fresh(cup)


def play_rounds(cup, rounds=20):
    """Let the higher seed win every match of so many rounds, or to the end."""
    for _ in range(rounds):
        if not rows.open_matches(cup):
            break
        rows.play_by_seed(cup)
        directing.advance(tournament_pk=cup.pk)
    return making.fresh(cup)


def _make_drafts(organizer):
    making.make_draft(
        organizer,
        name="Cup draft",
        slug="cup-draft",
        description="A *draft*.",
        format="swiss",
        format_options={"rounds": 3},
        min_entrants=6,
    )


def _make_registrations(people):
    """Make three that can be entered: by everybody, by who is invited, from the ladder."""
    by = people.organizer
    times = {"freezes_at": making.ahead(days=60), "starts_at": making.ahead(days=61)}
    cup = opened("open", by, 4, description="Come and play.", **times)
    alpha, beta, ann, ben = (Bot.objects.get(slug=slug) for slug in DUELISTS[:4])
    version = alpha.versions.filter(status=VersionStatus.READY).order_by("number").first()
    entries.choose_version(tournament=cup, bot=alpha, by=people.owner, version=version)
    entries.leave(tournament=cup, bot=beta, by=people.other, reason="No time.")
    invited = opened("invited", by, 0, entry_policy="invited")
    for bot in (alpha, ann, ben):
        entries.invite(tournament=invited, bot=bot, by=by)
    entries.answer(tournament=invited, bot=ann, by=ann.owner, accept=True)
    entries.answer(tournament=invited, bot=ben, by=ben.owner, accept=False)
    _rehearse(cup, by)


def _make_frozen(organizer):
    """Make one that waits for its start, with a rehearsal that is over."""
    cup = opened("frozen", organizer, 5, format="single_elimination")
    cup = stages.freeze(tournament=cup, by=organizer)
    play_rounds(_rehearse(cup, organizer))


def _rehearse(cup, by):
    """Begin a rehearsal, under an address without the letters that were drawn for it."""
    rehearsal = rehearsals.start(tournament=cup, by=by)
    rehearsal.slug = f"{cup.slug}-rehearsal"
    rehearsal.save(update_fields=["slug"])
    directing.advance(tournament_pk=rehearsal.pk)
    return rehearsal


def _make_running(organizer):
    """Make one whose matches have real games, and one of three bots in a match."""
    cup = begun("running", organizer, 4, ladder="general")
    for match in rows.open_matches(cup):
        played.play_random_games(match)
    directing.advance(tournament_pk=cup.pk)
    running = rows.open_matches(cup)[0]
    factories.claim(running)
    threes = begun(
        "threes",
        organizer,
        6,
        BESIEGERS,
        ladder="siege-3",
        format="swiss",
        format_options={"rounds": 1},
    )
    played.play_random_games(rows.open_matches(threes)[0])


def _make_incidents(organizer):
    """Make one with hidden rounds, in which organizers had to put much right."""
    cup = begun(
        "hidden",
        organizer,
        8,
        format="swiss",
        format_options={"rounds": 4},
        release="hidden",
        matches_per_pairing=2,
        last_entry_round=2,
    )
    cup = play_rounds(cup, 1)
    first, second, third, _fourth = playing.pairings_of(cup, 2)
    playing.act(cup, Award(pairing=first.public_id, to=playing.sides(first)[1].pk))
    playing.act(cup, AddMatches(second.public_id, 1))
    playing.act(cup, Void(playing.matches_of(cup, 2)[-1].public_id))
    playing.act(cup, Disqualify(playing.sides(third)[1].pk))
    entrant = cup.entrants.get(bot__slug="alpha")
    other = entrant.bot.versions.filter(status=VersionStatus.READY).exclude(pk=entrant.version_id)
    playing.act(cup, Substitute(entrant=entrant.pk, version=other.get().pk))
    directing.advance(tournament_pk=cup.pk)


def _make_paused(organizer):
    cup = begun("paused", organizer, 6, format="double_elimination", release="entrants")
    cup = play_rounds(cup, 2)
    stages.pause(tournament=cup, by=organizer, reason="A cable broke.")


def _make_over(organizer):
    """Make those that are over: completed, released, cancelled."""
    options = {"third_place": 1}
    cup = begun(
        "completed",
        organizer,
        5,
        format="single_elimination",
        format_options=options,
        release="entrants",
    )
    play_rounds(cup)
    groups = begun("groups", organizer, 4, format="groups_playoff", format_options=GROUPS)
    stages.release(tournament=play_rounds(groups), by=organizer)
    cup = play_rounds(begun("cancelled", organizer, 4), 1)
    stages.cancel(tournament=cup, by=organizer, reason="The hall is closed.")
