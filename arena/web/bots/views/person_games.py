"""A person plays against a bot. Whoever has the address of the page has the seat."""

import json
import secrets
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.bots import person_games, presets
from arena.domain.bots.person_games import Question
from arena.domain.errors import Refused
from arena.models import Bot, Ladder, Match, MatchStatus, PersonSeat
from arena.web import lookups
from arena.web.bots.person_game_form import PersonGameForm
from arena.web.breadcrumbs import bot_trail
from arena.web.forms import submitted
from arena.web.matches import labels
from botkit.seat_page import SeatPage, Turn
from engine.rng import Rng

SEED_BITS = 32  # of set-ups that are offered
STATES = 3  # of a question: open, over, or asked by a runner that is gone


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Show against whom one can play: some bots of each ladder."""
    ladders = Ladder.objects.filter(is_open=True, is_remote=False).order_by("slug")
    boards = [(ladder, person_games.opponents(ladder=ladder)) for ladder in ladders]
    context = {
        "boards": [{"ladder": ladder, "opponents": bots} for ladder, bots in boards if bots],
        "is_offered": person_games.is_open(by=request.user),
        "open_games": [
            (seat, labels.seat_name(seat.side)) for seat in person_games.open_games(by=request.user)
        ],
    }
    return render(request, "bots/play_list.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, owner: str, bot: str) -> HttpResponse:
    """Ask for a game against a bot; nobody needs an account."""
    opponent = lookups.find_bot(owner, bot)
    posted = request.POST if request.method == "POST" else None
    form = PersonGameForm(posted, opponent=opponent, chosen=request.GET.get("game", ""))
    if seat := submitted(form, lambda: form.ask(request)):
        return redirect("person-game", seat.key)
    context = {
        "bot": opponent,
        "trail": bot_trail(opponent),
        "form": form,
        "is_offered": person_games.is_offered(bot=opponent, by=request.user),
        "bank": settings.PERSON_BANK_S // 60,
        "move": settings.PERSON_MOVE_S // 60,
    }
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "bots/play.html", context, status=status)


@never_cache
@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show the page on which a person plays."""
    seat = _find(key)
    sides = person_games.sides(ladder=seat.match.ladder)
    other = sides[(sides.index(seat.side) + 1) % len(sides)]
    context = {"match": seat.match, "bot": _bot(seat), "other_side": other}
    return render(request, "bots/person_game.html", context)


@never_cache
@require_safe
def turn(request: HttpRequest, key: str) -> HttpResponse:
    """Return what the page shows, unless it is what it shows already."""
    seat = _find(key)
    is_heard = person_games.is_heard(match=seat.match)
    number = _number(seat, is_heard=is_heard)
    if request.GET.get("after") == str(number):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    question = person_games.question(seat=seat)
    left_s = question.left_s if question else 0.0
    shown = _present(seat, question, is_heard=is_heard)
    return JsonResponse({"number": number, "left_s": left_s, **asdict(shown)})


@require_POST
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """Take an answer, or return the `problem` with it."""
    seat, body = _find(key), _body(request)
    shown = _number(seat, is_heard=person_games.is_heard(match=seat.match))
    number = seat.number if body.get("number") == shown else None
    try:
        person_games.answer(seat=seat, number=number, text=str(body.get("answer")))
    except Refused as refusal:
        return JsonResponse({"problem": refusal.message})
    return JsonResponse({})


@require_POST
def draft(request: HttpRequest, key: str) -> HttpResponse:
    """Return a set-up: that of a bot, the one that is wished for, or a random one."""
    seat, body = _find(key), _body(request)
    try:
        question = person_games.setup_asked(seat=seat)
        page = _page(question)
        page.turn(question.message)
        codes = str(body.get("codes", ""))
        if like := str(body.get("like", "")):
            codes = presets.setup_of(bot=like, ladder=seat.match.ladder, seat=page.seat)
    except Refused as refusal:
        return JsonResponse({"problem": refusal.message})
    if like and (problem := page.problem_of_setup(codes)):
        return JsonResponse({"problem": problem})
    drafted = page.draft(codes)
    person_games.keep_draft(seat=seat, number=question.number, codes=page.drafted)
    return JsonResponse(drafted)


def _find(key: str) -> PersonSeat:
    rows = PersonSeat.objects.select_related("match__ladder")
    return get_object_or_404(rows, key=key)


def _bot(seat: PersonSeat) -> Bot:
    entrants = seat.match.entrants.select_related("version__bot__owner")
    return entrants.get(position=person_games.BOT).version.bot


def _body(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object that was sent. Raise BadRequest."""
    try:
        body = json.loads(request.body)
    except ValueError as problem:
        raise BadRequest("The body is not JSON.") from problem
    if not isinstance(body, dict):
        raise BadRequest("The body is not a JSON object.")
    return body


def _number(seat: PersonSeat, *, is_heard: bool) -> int:
    """Return a number that changes with what the page shows."""
    match = seat.match
    if match.status in Match.WAITING:
        return -1 - person_games.waiting_before(match=match)
    if match.status not in Match.IN_WORK:
        return STATES * seat.number + 1
    return STATES * seat.number + 2 * (not is_heard)


def _present(seat: PersonSeat, question: Question | None, *, is_heard: bool) -> Turn:
    """Return what the page shows now."""
    match = seat.match
    if match.status in Match.WAITING:
        return Turn(_waiting(person_games.waiting_before(match=match)))
    if question and (question.is_end or match.status in Match.IN_WORK):
        return _asked(seat, question, is_heard=is_heard)
    if match.status in Match.IN_WORK:
        return Turn(_("The game begins."))
    words = {
        MatchStatus.CANCELLED: _("The game was cancelled."),
        MatchStatus.FAILED: _("The platform failed: there is no result."),
    }
    return Turn(words.get(MatchStatus(match.status), _("The game is over.")), wanted="last")


def _waiting(before: int) -> str:
    if not before:
        return _("Waiting for a free place.")
    first = ngettext(
        "Waiting for a free place: %(count)d game comes first.",
        "Waiting for a free place: %(count)d games come first.",
        before,
    ) % {"count": before}
    minutes = person_games.usual_minutes()
    if minutes is None:
        return first
    usual = ngettext(
        "Half of the latest games took at most %(count)d minute.",
        "Half of the latest games took at most %(count)d minutes.",
        minutes,
    ) % {"count": minutes}
    return f"{first} {usual}"


def _page(question: Question) -> SeatPage:
    """Return the page of the seat that is asked, before it shows the question."""
    name = labels.seat_name(question.start["seat"])
    return SeatPage(
        question.start,
        title=_("You are %(seat)s.") % {"seat": name},
        rng=Rng(secrets.randbits(SEED_BITS)),
        view=question.before,
        drafted=question.drafted,
    )


def _asked(seat: PersonSeat, question: Question, *, is_heard: bool) -> Turn:
    """Return what the present question shows, or the end."""
    made = _page(question).turn(question.message)
    if question.is_end:
        points = (question.message["outcome"] or {}).get(seat.side)
        results = {None: _("The game is void."), 1: _("You won."), 0: _("You lost.")}
        made.title, made.wanted = results.get(points, _("The game is drawn.")), "last"
        return made
    if not (is_heard and question.is_open):
        made.wanted = ""
    elif question.is_setup:
        made.likes = presets.bots(ladder=seat.match.ladder)
    if not is_heard:
        made.problem = _(
            "The platform does not answer. The game goes on in a moment, or begins anew."
        )
    elif question.is_anew:
        made.problem = _("The platform broke the game off, so it has begun anew.")
    return made
