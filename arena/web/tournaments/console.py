"""What the console of a tournament shows: what waits for a decision, and what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.domain.formats import scoring
from arena.domain.formats.shapes import Meeting
from arena.domain.tournaments import scores
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions import targets
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import (
    Match,
    MatchStatus,
    Pairing,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    VersionStatus,
)
from arena.web.tournaments import figures
from arena.web.tournaments.intervention_words import ACTS

S = TournamentStatus


@dataclass(frozen=True, slots=True)
class Doing:
    """Something that can be done: its word, and the address of its page."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that waits for a decision, and what could be done about it."""

    text: str
    doings: Sequence[Doing] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A step that can be taken now; `asks_why` where the reason is not left out.

    What cannot be undone, `is_for_good`, takes two clicks.
    """

    action: str
    label: str
    help: str
    asks_why: bool = False
    is_for_good: bool = False
    is_danger: bool = False


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match that counts, what came of it in points of its games, and what can be done to it."""

    match: Match
    score: str
    doings: Sequence[Doing]

    @property
    def status(self) -> str:
        """Where it stands, in words."""
        return match_word(self.match)


@dataclass(frozen=True, slots=True)
class PairingLine:
    """A pairing of the running round, or one that is open, and what can be done to it."""

    pairing: Pairing
    names: str
    matches: Sequence[MatchLine]
    doings: Sequence[Doing]


def stages_of(tournament: Tournament) -> list[Stage]:
    """Return the steps that can be taken now, the usual one first."""
    usual = {
        S.DRAFT: [Stage("open", _("Open registration"), _("Everybody can see it from now on."))],
        S.REGISTRATION: [
            Stage(
                "freeze",
                _("Freeze versions"),
                _("Pins who plays what, and gives seeds. This cannot be undone."),
                is_for_good=True,
            )
        ],
        S.FROZEN: [Stage("start", _("Start"), _("Draws round 1."))],
        S.RUNNING: [
            Stage("pause", _("Pause"), _("Matches in work are played to their end."), asks_why=True)
        ],
        S.PAUSED: [Stage("resume", _("Resume"), _("It goes on where it stands."))],
        S.COMPLETED: [
            Stage(
                "release",
                _("Release"),
                _("Everything becomes public, and stays as it is. This cannot be undone."),
                is_for_good=True,
            )
        ],
    }.get(S(tournament.status), [])
    if tournament.status in (S.COMPLETED, S.RELEASED, S.CANCELLED):
        return usual
    ending = Stage(
        "cancel",
        _("Cancel for good"),
        _("Matches that are not over are ended; owners are told why."),
        asks_why=True,
        is_for_good=True,
        is_danger=True,
    )
    return [*usual, ending]


def incidents(tournament: Tournament, picture: TournamentSnapshot) -> list[Incident]:
    """Return what waits for a decision of the organizers."""
    if tournament.status in (S.RELEASED, S.CANCELLED):
        return []
    found = [
        _failed(tournament, pairing, match)
        for pairing in picture.pairings.values()
        if not pairing.decision
        for match in picture.matches.get(pairing.pk, [])
        if match.status in (MatchStatus.FAILED, MatchStatus.CANCELLED)
    ]
    found += [
        _not_ready(tournament, entrant)
        for entrant in picture.entrants.values()
        if entrant.status == TournamentEntrantStatus.ENTERED
        and not admission.is_ready(
            tournament=tournament, version=entrant.version or entrant.bot.active_version
        )
    ]
    return found


def pairing_lines(
    tournament: Tournament, picture: TournamentSnapshot, shown: int
) -> list[PairingLine]:
    """Return the pairings of a round, and those of others that are open."""
    return [
        _line(tournament, picture, meeting)
        for meeting in picture.state.meetings
        if meeting.round == shown or not meeting.is_over
    ]


def act_url(tournament: Tournament, act: str, **values: object) -> str:
    """Return the address of the page on which an act is tried."""
    query = "&".join(f"{name}={value}" for name, value in values.items())
    address = reverse("tournament-act", args=[tournament.slug, act.replace("_", "-")])
    return f"{address}?{query}" if query else address


def doings_of(tournament: Tournament, entrant: TournamentEntrant) -> list[Doing]:
    """Return what can be done to an entrant."""
    if tournament.status not in (S.FROZEN, S.RUNNING, S.PAUSED, S.COMPLETED):
        return []
    if entrant.status != TournamentEntrantStatus.ENTERED:
        return []
    labels = {
        "substitute": _("Substitute"),
        "withdraw": _("Withdraw"),
        "disqualify": _("Disqualify"),
    }
    if tournament.status == S.COMPLETED:
        labels = {"disqualify": labels["disqualify"]}
    return [
        Doing(label, act_url(tournament, act, entrant=entrant.pk)) for act, label in labels.items()
    ]


def _failed(tournament: Tournament, pairing: Pairing, match: Match) -> Incident:
    said = _("Pairing %(pairing)s: %(match)s has no result: %(why)s")
    words = {"pairing": targets.label(pairing), "match": match, "why": match.failure}
    doings = [
        Doing(_("Play it again"), act_url(tournament, "rerun", match=match.public_id)),
        Doing(_("Award the pairing"), act_url(tournament, "award", pairing=pairing.public_id)),
    ]
    return Incident(said % words, doings)


def _not_ready(tournament: Tournament, entrant: TournamentEntrant) -> Incident:
    if entrant.version is None:
        said = _("%(bot)s has no version that can play here: its owner has to upload one.")
        return Incident(said % {"bot": entrant.bot})
    is_ready = entrant.version.status == VersionStatus.READY
    said = (
        _("%(version)s cannot play here: it was not uploaded for this game.")
        if is_ready
        else _("%(version)s cannot play any more: it is %(status)s.")
    )
    words = {"version": entrant.version, "status": entrant.version.get_status_display()}
    return Incident(said % words, doings_of(tournament, entrant))


def _line(tournament: Tournament, picture: TournamentSnapshot, meeting: Meeting) -> PairingLine:
    pairing = picture.pairings[meeting.round, meeting.number]
    names = " \N{EN DASH} ".join(picture.entrants[pk].bot.name for pk in meeting.entrants)
    matches = picture.matches.get(pairing.pk, [])
    is_played = tournament.status in (S.RUNNING, S.PAUSED, S.COMPLETED)
    may = is_played and len(meeting.entrants) > 1
    lines = [
        MatchLine(
            match,
            match_score(picture, meeting, match),
            _of_match(tournament, match) if may else (),
        )
        for match in matches
    ]
    return PairingLine(pairing, names, lines, _of_pairing(tournament, pairing) if may else ())


def match_word(match: Match) -> str:
    """Return where a match stands, for those who organize it."""
    is_taken = match.status == MatchStatus.LEASED
    return _("taken by a runner") if is_taken else match.get_status_display()


def match_score(picture: TournamentSnapshot, meeting: Meeting, match: Match) -> str:
    """Say the points of a match that is finished, in the order of its pairing; else nothing."""
    if match.status != MatchStatus.FINISHED:
        return ""
    sides = scores.sides_of(variant=picture.tournament.ladder.variant)
    found = scores.of_matches(matches=[match], sides=sides, entrants=len(meeting.entrants))
    return "\N{EN DASH}".join(figures.halves(scoring.game_points(each)) for each in found)


def _of_match(tournament: Tournament, match: Match) -> Sequence[Doing]:
    act, label = ("void", _("Void")) if match.is_open else ("rerun", _("Play again"))
    return [Doing(label, act_url(tournament, act, match=match.public_id))]


def _of_pairing(tournament: Tournament, pairing: Pairing) -> Sequence[Doing]:
    found = [Doing(_("Award"), act_url(tournament, "award", pairing=pairing.public_id))]
    if not pairing.decision:
        url = act_url(tournament, "add_matches", pairing=pairing.public_id)
        found.append(Doing(_("More matches"), url))
    return found


def more(tournament: Tournament) -> list[Doing]:
    """Return what else can be done to the tournament where it stands."""
    found = []
    if tournament.is_before_freeze:
        found.append(Doing(_("Change it"), reverse("tournament-edit", args=[tournament.slug])))
        found.append(Doing(_("Enter bots"), reverse("tournament-entrants", args=[tournament.slug])))
    if tournament.status in (S.REGISTRATION, S.FROZEN):
        found.append(Doing(str(ACTS["postpone"].name), act_url(tournament, "postpone")))
    has_rounds = "rounds" in tournament.format_options
    if has_rounds and tournament.status in (S.FROZEN, S.RUNNING, S.PAUSED, S.COMPLETED):
        found.append(Doing(str(ACTS["add_rounds"].name), act_url(tournament, "add_rounds")))
    is_over = tournament.status in (S.COMPLETED, S.RELEASED, S.CANCELLED)
    if not is_over or tournament.rehearsals.exists():
        label = _("Its rehearsals") if is_over else _("Rehearse it")
        found.append(Doing(label, reverse("tournament-rehearsal", args=[tournament.slug])))
    return found
