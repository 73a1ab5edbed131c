"""Pictures of tournaments with a bracket, made without a database."""

from django.template.loader import render_to_string

from arena.domain.formats import catalogue
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Bot, Pairing, Tournament, TournamentEntrant, TournamentRound, User, Version
from arena.web.tournaments import brackets
from tests.unit.formats.bracket_play import Play, entries, setup_for


def play(slug, count, rounds=0, size=2, **play_options):
    """Play so many rounds of a format; the stronger wins unless `play_options` say otherwise."""
    options = play_options.pop("options", {})
    played = Play(
        catalogue.find(slug), setup_for(size=size, **options), entries(count), **play_options
    )
    for _ in range(rounds):
        played.step()
    return played


def picture_of(slug, state):
    """Return what a page knows of a tournament: its rows are not stored."""
    tournament = Tournament(pk=1, slug="cup", name="Cup", format=slug)
    rounds = [TournamentRound(tournament=tournament, number=n + 1) for n in range(state.rounds)]
    return TournamentSnapshot(
        tournament=tournament,
        setup=state.setup,
        state=state,
        entrants={entry.id: entrant(tournament, entry) for entry in state.entries},
        rounds=rounds,
        pairings={
            (each.round, each.number): Pairing(
                pk=1000 * each.round + each.number,
                round=rounds[each.round - 1],
                number=each.number,
                slot=each.slot,
                decision=each.decision,
                award=_award(each),
            )
            for each in state.meetings
        },
        matches={},
    )


def _award(meeting):
    won = [place for place, score in enumerate(meeting.scores) if score.wins]
    return won[0] if meeting.decision == "award" and won else None


def entrant(tournament, entry):
    name = f"bot-{entry.seed}"
    bot = Bot(slug=name, name=name, owner=User(username="ada"))
    return TournamentEntrant(
        pk=entry.id,
        tournament=tournament,
        bot=bot,
        version=Version(bot=bot, number=1),
        seed=entry.seed,
        status="entered" if entry.until_round is None else "withdrawn",
        until_round=entry.until_round,
    )


def shown(slug, state):
    return brackets.of(picture_of(slug, state))


def html(slug, state):
    return render_to_string("tournaments/_bracket.html", {"bracket": shown(slug, state)})
