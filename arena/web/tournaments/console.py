"""The console of a tournament: what needs a decision, and which actions are possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Model
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from arena.domain.errors import Refused
from arena.domain.formats import scoring
from arena.domain.formats.types import PairingState
from arena.domain.tournaments import scores
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions import base, targets
from arena.domain.tournaments.interventions.base import Intervention
from arena.domain.tournaments.interventions.extensions import Postpone
from arena.domain.tournaments.interventions.matches import Award, Rerun
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import (
    Match,
    MatchStatus,
    Pairing,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    VersionStatus,
)
from arena.models import TournamentStatus as S
from arena.texts import times
from arena.texts.names import isolated
from arena.web.tournaments import figures

IF_NEEDED = "grand_final_reset"  # the round that is only played if needed

_STANDS = {
    S.DRAFT: gettext_lazy(
        "Only the organizers can see it. Open the registration to let bots enter."
    ),
    S.REGISTRATION: gettext_lazy("Bots can be entered until you freeze their versions."),
    S.FROZEN: gettext_lazy(
        "Versions are pinned and seeds are given. When you start it, round 1 is drawn."
    ),
    S.PAUSED: gettext_lazy("No match starts and no round is drawn until you resume it."),
    S.COMPLETED: gettext_lazy("All rounds have been played. Check the results, then release it."),
    S.RELEASED: gettext_lazy("It is over, and everything is public. This cannot be undone."),
    S.CANCELLED: gettext_lazy("It was cancelled. This cannot be undone."),
}


@dataclass(frozen=True, slots=True)
class ConsoleLink:
    """A possible action: its label and the URL of its page."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Incident:
    """A problem that needs a decision, and the actions that can solve it."""

    text: str
    links: Sequence[ConsoleLink] = ()


@dataclass(frozen=True, slots=True)
class StageButton:
    """A step that can be taken now; `needs_reason` says that it requires a reason.

    A step that cannot be undone, `is_final`, takes two clicks. `and_then` is this step together
    with the next one.
    """

    action: str
    label: str
    help: str
    needs_reason: bool = False
    is_final: bool = False
    is_danger: bool = False
    and_then: "StageButton | None" = None


def stages_of(tournament: Tournament, obstacle: Refused | None) -> list[StageButton]:
    """Return the steps that can be taken now, the usual one first.

    `obstacle` is why it cannot be frozen or started now. Such a step is not offered.
    """
    usual = {
        S.DRAFT: [
            StageButton("open", _("Open registration"), _("Everybody will be able to see it."))
        ],
        S.REGISTRATION: [
            StageButton(
                "freeze",
                _("Freeze versions"),
                _("Pins the versions and gives seeds. This cannot be undone."),
                is_final=True,
                and_then=StageButton(
                    "freeze-and-start",
                    _("Freeze and start"),
                    _("Also draws round 1, whatever time was planned."),
                ),
            )
        ],
        S.FROZEN: [StageButton("start", pgettext("button", "Start"), _("Draws round 1."))],
        S.RUNNING: [
            StageButton(
                "pause",
                _("Pause"),
                _("Matches that are running are played to the end."),
                needs_reason=True,
            )
        ],
        S.PAUSED: [StageButton("resume", _("Resume"), _("It continues from where it was paused."))],
        S.COMPLETED: [
            StageButton(
                "release",
                _("Release"),
                _("Everything becomes public, and stays as it is. This cannot be undone."),
                is_final=True,
            )
        ],
    }.get(S(tournament.status), [])
    if obstacle is not None:
        usual = []
    if tournament.status in (S.COMPLETED, S.RELEASED, S.CANCELLED):
        return usual
    ending = StageButton(
        "cancel",
        _("Cancel for good"),
        _("Matches that are not over are ended, and the owners are told why."),
        needs_reason=True,
        is_final=True,
        is_danger=True,
    )
    return [*usual, ending]


def incidents(
    tournament: Tournament, picture: TournamentSnapshot, obstacle: Refused | None
) -> list[Incident]:
    """Return the problems that need a decision of the organizers."""
    if tournament.status in (S.RELEASED, S.CANCELLED):
        return []
    problems = []
    if obstacle is not None and (tournament.is_overdue or tournament.status == S.FROZEN):
        problems.append(_overdue(tournament, obstacle))
    problems += [
        _failed(tournament, pairing, match)
        for pairing in picture.pairings.values()
        if not pairing.decision
        for match in picture.matches.get(pairing.pk, [])
        if match.status in (MatchStatus.FAILED, MatchStatus.CANCELLED)
    ]
    problems += [
        _not_ready(tournament, entrant)
        for entrant in picture.entrants.values()
        if entrant.status == TournamentEntrantStatus.ENTERED
        and not admission.is_ready(
            tournament=tournament, version=entrant.version or entrant.bot.active_version
        )
    ]
    return problems


def pairing_lines(
    tournament: Tournament, picture: TournamentSnapshot, shown: int
) -> list[dict[str, Any]]:
    """Return the pairings of a round and the open pairings of other rounds.

    Each has its matches, with their scores in points of games, and the possible actions on it and
    on each match.
    """
    return [
        _line(tournament, picture, meeting)
        for meeting in picture.state.meetings
        if meeting.round == shown or not meeting.is_over
    ]


def intervention_url(tournament: Tournament, kind: type[Intervention], **query: object) -> str:
    """Return the address of the page on which an intervention is previewed."""
    address = reverse("tournament-act", args=[tournament.slug, kind.slug.replace("_", "-")])
    return f"{address}?{urlencode(query)}" if query else address


def links_of(tournament: Tournament, entrant: TournamentEntrant) -> list[ConsoleLink]:
    """Return the possible actions on an entrant."""
    return _offered(base.OnEntrant, tournament, entrant, entrant=entrant.pk)


def _offered(
    kind: type[Intervention], tournament: Tournament, row: Model, **query: object
) -> list[ConsoleLink]:
    return [
        ConsoleLink(
            str(intervention.short_label or intervention.label),
            intervention_url(tournament, intervention, **query),
        )
        for intervention in base.offered(kind, tournament=tournament, row=row)
    ]


def _overdue(tournament: Tournament, obstacle: Refused) -> Incident:
    if tournament.status == S.FROZEN:
        return Incident(_("It cannot start. %(why)s") % {"why": obstacle.message})
    text = _(
        "It is not frozen, though its time has come. %(why)s It is frozen without you as soon as "
        "that is possible."
    )
    return Incident(
        text % {"why": obstacle.message},
        [*_setup(tournament), ConsoleLink(_("Postpone"), intervention_url(tournament, Postpone))],
    )


def _setup(tournament: Tournament) -> list[ConsoleLink]:
    return [
        ConsoleLink(_("Enter bots"), reverse("tournament-entrants", args=[tournament.slug])),
        ConsoleLink(_("Change the settings"), reverse("tournament-edit", args=[tournament.slug])),
    ]


def _failed(tournament: Tournament, pairing: Pairing, match: Match) -> Incident:
    text = _("Pairing %(pairing)s: %(match)s has no result: %(why)s")
    words = {"pairing": targets.label(pairing), "match": match, "why": match.failure}
    links = [
        ConsoleLink(_("Play it again"), intervention_url(tournament, Rerun, match=match.public_id)),
        ConsoleLink(
            _("Award the pairing"),
            intervention_url(tournament, Award, pairing=pairing.public_id),
        ),
    ]
    return Incident(text % words, links)


def _not_ready(tournament: Tournament, entrant: TournamentEntrant) -> Incident:
    if entrant.version is None:
        text = _("%(bot)s has no version that can play here: its owner has to upload one.")
        return Incident(text % {"bot": entrant.bot})
    is_ready = entrant.version.status == VersionStatus.READY
    text = (
        _("%(version)s cannot play here: it was not uploaded for this game.")
        if is_ready
        else _("%(version)s can no longer play: it is %(status)s.")
    )
    words = {"version": entrant.version, "status": entrant.version.get_status_display()}
    return Incident(text % words, links_of(tournament, entrant))


def _line(
    tournament: Tournament, picture: TournamentSnapshot, meeting: PairingState
) -> dict[str, Any]:
    pairing = picture.pairings[meeting.round, meeting.number]
    is_bye = len(meeting.entrants) == 1
    return {
        "pairing": pairing,
        "names": " \N{EN DASH} ".join(
            f"{picture.entrants[pk].bot.owner.username}/{isolated(picture.entrants[pk].bot.name)}"
            for pk in meeting.entrants
        ),
        "matches": [
            {
                "match": match,
                "score": match_score(picture, meeting, match),
                "status": match_word(match),
                "links": _offered(base.OnMatch, tournament, match, match=match.public_id),
            }
            for match in picture.matches.get(pairing.pk, [])
        ],
        "links": []
        if is_bye
        else _offered(base.OnPairing, tournament, pairing, pairing=pairing.public_id),
    }


def match_word(match: Match) -> str:
    """Return the status of a match in words for organizers."""
    is_taken = match.status == MatchStatus.LEASED
    return _("taken by a runner") if is_taken else match.get_status_display()


def match_score(picture: TournamentSnapshot, meeting: PairingState, match: Match) -> str:
    """Return the points of a finished match, in the order of its pairing; else an empty text."""
    if match.status != MatchStatus.FINISHED:
        return ""
    sides = scores.sides_of(variant=picture.tournament.ladder.variant)
    result = scores.of_matches(matches=[match], sides=sides, entrants=len(meeting.entrants))
    return "\N{EN DASH}".join(figures.halves(scoring.game_points(score)) for score in result)


def more(tournament: Tournament) -> list[ConsoleLink]:
    """Return the other possible actions on the tournament in its present status."""
    links = _setup(tournament) if tournament.is_before_freeze else []
    links += _offered(base.OnTournament, tournament, tournament)
    is_over = tournament.status in (S.COMPLETED, S.RELEASED, S.CANCELLED)
    if not is_over or tournament.rehearsals.exists():
        label = _("Its rehearsals") if is_over else _("Rehearse it")
        links.append(ConsoleLink(label, reverse("tournament-rehearsal", args=[tournament.slug])))
    return links


def next_step(tournament: Tournament, picture: TournamentSnapshot, obstacle: Refused | None) -> str:
    """Return the next automatic step of the tournament, or what it waits for."""
    match S(tournament.status):
        case S.RUNNING:
            return _running(picture)
        case S.REGISTRATION:
            return f"{_entered(tournament, picture)} {_freeze(tournament, obstacle)}"
        case S.FROZEN if obstacle is not None:
            return obstacle.message
        case S.FROZEN if tournament.starts_at is not None:
            text = _("It starts automatically: %(at)s. Then round 1 is drawn.")
            return text % {"at": times.in_utc(tournament.starts_at)}
        case status:
            return str(_STANDS[status])


def _entered(tournament: Tournament, picture: TournamentSnapshot) -> str:
    count = sum(row.status == TournamentEntrantStatus.ENTERED for row in picture.entrants.values())
    text = ngettext(
        "%(count)d bot is entered; at least %(least)d are needed.",
        "%(count)d bots are entered; at least %(least)d are needed.",
        count,
    )
    return text % {"count": count, "least": tournament.min_entrants}


def _freeze(tournament: Tournament, obstacle: Refused | None) -> str:
    if tournament.freezes_at is not None and tournament.freezes_at > timezone.now():
        text = _("Versions are frozen automatically: %(at)s. Until then bots can be entered.")
        return text % {"at": times.in_utc(tournament.freezes_at)}
    return obstacle.message if obstacle is not None else str(_STANDS[S.REGISTRATION])


def _running(picture: TournamentSnapshot) -> str:
    left = sum(not meeting.is_over for meeting in picture.state.meetings)
    if not left:
        return _("It continues automatically in a moment.")
    rounds = picture.format.outline(picture.setup, len(picture.state.entries))
    to_come = [row.code for row in rounds[len(picture.rounds) :]]
    if not to_come:
        text = ngettext(
            "This is the last round. It ends with the %(count)d open pairing.",
            "This is the last round. It ends with the %(count)d open pairings.",
            left,
        )
    elif set(to_come) == {IF_NEEDED}:
        text = _("The open pairing decides if a second final is played.")
    else:
        text = ngettext(
            "The next round is drawn automatically when the %(count)d open pairing is over.",
            "The next round is drawn automatically when the %(count)d open pairings are over.",
            left,
        )
    return text % {"count": left}
