"""What the console of a tournament shows: where it stands, what waits, what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.formats.shapes import Meeting
from arena.domain.tournaments.entering import admission
from arena.domain.tournaments.incidents import targets
from arena.domain.tournaments.pictures import Picture
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
from arena.web.actwords import ACTS

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
    """A step that can be taken now; `asks_why` where the reason is not left out."""

    action: str
    label: str
    help: str
    asks_why: bool = False
    is_danger: bool = False


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match that counts, and what can be done to it."""

    match: Match
    doings: Sequence[Doing]


@dataclass(frozen=True, slots=True)
class PairingLine:
    """A pairing of the running round, or one that is open, and what can be done to it."""

    pairing: Pairing
    names: str
    matches: Sequence[MatchLine]
    doings: Sequence[Doing]


_STANDS = {
    S.DRAFT: gettext_lazy("Organizers alone see it. Open the registration, and bots can enter."),
    S.REGISTRATION: gettext_lazy("Bots are entered until you freeze their versions."),
    S.FROZEN: gettext_lazy("Versions are pinned, seeds are given. You start it; round 1 is drawn."),
    S.PAUSED: gettext_lazy("No match is begun and no round drawn before you resume it."),
    S.COMPLETED: gettext_lazy("All rounds are played. Look at it again, then release it."),
    S.RELEASED: gettext_lazy("It is over, and everything is public for ever."),
    S.CANCELLED: gettext_lazy("It was cancelled for good."),
}


def next_step(tournament: Tournament, picture: Picture) -> str:
    """Say what the tournament will do by itself, or what it waits for."""
    match S(tournament.status):
        case S.RUNNING:
            return _running(picture)
        case S.REGISTRATION if tournament.freezes_at is not None:
            said = _("Versions are frozen by themselves: %(at)s. Until then bots are entered.")
            return said % {"at": _shown(tournament.freezes_at)}
        case S.FROZEN if tournament.starts_at is not None:
            said = _("It starts by itself: %(at)s. Then round 1 is drawn.")
            return said % {"at": _shown(tournament.starts_at)}
        case status:
            return str(_STANDS[status])


def stages_of(tournament: Tournament) -> list[Stage]:
    """Give the steps that can be taken now, the usual one first."""
    usual = {
        S.DRAFT: [Stage("open", _("Open registration"), _("Everybody can see it from now on."))],
        S.REGISTRATION: [
            Stage("freeze", _("Freeze versions"), _("Pins who plays what, and gives seeds."))
        ],
        S.FROZEN: [Stage("start", _("Start"), _("Draws round 1."))],
        S.RUNNING: [
            Stage("pause", _("Pause"), _("Matches in work are played to their end."), asks_why=True)
        ],
        S.PAUSED: [Stage("resume", _("Resume"), _("It goes on where it stands."))],
        S.COMPLETED: [
            Stage("release", _("Release"), _("Everything becomes public, and stays as it is."))
        ],
    }.get(S(tournament.status), [])
    if tournament.status in (S.RELEASED, S.CANCELLED):
        return []
    ending = Stage(
        "cancel",
        _("Cancel for good"),
        _("Matches that are not over are ended; owners are told why."),
        asks_why=True,
        is_danger=True,
    )
    return [*usual, ending]


def incidents(tournament: Tournament, picture: Picture) -> list[Incident]:
    """Give what waits for a decision of the organizers."""
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


def pairing_lines(tournament: Tournament, picture: Picture, shown: int) -> list[PairingLine]:
    """Give the pairings of a round, and those of others that are open."""
    return [
        _line(tournament, picture, meeting)
        for meeting in picture.state.meetings
        if meeting.round == shown or not meeting.is_over
    ]


def act_url(tournament: Tournament, act: str, **values: object) -> str:
    """Give the address of the page on which an act is tried."""
    query = "&".join(f"{name}={value}" for name, value in values.items())
    address = reverse("tournament-act", args=[tournament.slug, act.replace("_", "-")])
    return f"{address}?{query}" if query else address


def doings_of(tournament: Tournament, entrant: TournamentEntrant) -> list[Doing]:
    """Give what can be done to an entrant."""
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


def _shown(at: datetime) -> str:
    return f"{formats.date_format(timezone.localtime(at, UTC), 'j M Y, H:i')} UTC"


def _running(picture: Picture) -> str:
    left = sum(not meeting.is_over for meeting in picture.state.meetings)
    if not left:
        return _("The next round is drawn in a moment.")
    said = ngettext(
        "The next round is drawn by itself when %(count)d pairing is over.",
        "The next round is drawn by itself when %(count)d pairings are over.",
        left,
    )
    return said % {"count": left}


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


def _line(tournament: Tournament, picture: Picture, meeting: Meeting) -> PairingLine:
    pairing = picture.pairings[meeting.round, meeting.number]
    names = " \N{EN DASH} ".join(picture.entrants[pk].bot.name for pk in meeting.entrants)
    matches = picture.matches.get(pairing.pk, [])
    is_played = tournament.status in (S.RUNNING, S.PAUSED, S.COMPLETED)
    may = is_played and len(meeting.entrants) > 1
    lines = [MatchLine(match, _of_match(tournament, match) if may else ()) for match in matches]
    return PairingLine(pairing, names, lines, _of_pairing(tournament, pairing) if may else ())


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
    """Give what else can be done to the tournament where it stands."""
    found = []
    if tournament.status in (S.DRAFT, S.REGISTRATION):
        found.append(Doing(_("Change it"), reverse("tournament-edit", args=[tournament.slug])))
        found.append(Doing(_("Enter bots"), reverse("tournament-entrants", args=[tournament.slug])))
    if tournament.status in (S.REGISTRATION, S.FROZEN):
        found.append(Doing(str(ACTS["postpone"].name), act_url(tournament, "postpone")))
    has_rounds = "rounds" in tournament.format_options
    if has_rounds and tournament.status in (S.FROZEN, S.RUNNING, S.PAUSED, S.COMPLETED):
        found.append(Doing(str(ACTS["add_rounds"].name), act_url(tournament, "add_rounds")))
    return found
