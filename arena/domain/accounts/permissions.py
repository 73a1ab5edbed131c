"""Who may see or do what. Pages, the API, templates and the domain all ask here.

Every predicate takes the user who asks first: a user, an anonymous user, or None for the public.
Which rows a user sees in lists is a selection of the query sets: `visible_to`.
"""

from arena.models import Bot, Match, MatchKind, Tournament, User, Viewer, is_staff


def may_edit_account(user: Viewer, person: User) -> bool:
    """Return whether it is the user's own account."""
    return isinstance(user, User) and user.pk == person.pk


def may_edit_bot(user: Viewer, bot: Bot) -> bool:
    """Return whether the user owns the bot, so acts for it and is told what concerns it."""
    return isinstance(user, User) and user.pk == bot.owner_id


def may_see_logs(user: Viewer, bot: Bot) -> bool:
    """Return whether the user may read what the bot wrote and was asked: its owner and staff."""
    return may_edit_bot(user, bot) or is_staff(user)


def may_challenge(user: Viewer, bot: Bot) -> bool:
    """Return whether the user may challenge the bot, as far as its owner decides."""
    return bot.accepts_challenges or may_edit_bot(user, bot)


def may_cancel_challenge(user: Viewer, match: Match) -> bool:
    """Return whether the user may cancel the match: a challenge, for who asked for it and staff."""
    is_own = isinstance(user, User) and user.pk == match.requested_by_id
    return match.kind == MatchKind.CHALLENGE and (is_own or is_staff(user))


def may_organize(user: Viewer, tournament: Tournament) -> bool:
    """Return whether the user decides about the tournament and sees all of it.

    Organizers of it and staff do. One query for users who are not staff, none where the organizers
    of the tournament are loaded.
    """
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_staff or tournament.organizers.contains(user)


def may_exceed_quotas(user: Viewer) -> bool:
    """Return whether no limits apply to the user: of uploads, challenges and tournaments."""
    return is_staff(user)


def may_see_staff_pages(user: Viewer) -> bool:
    """Return whether the user may see the staff pages, the alarm of the queue and the metrics."""
    return is_staff(user)


def may_correct_matches(user: Viewer) -> bool:
    """Return whether the user may void, cancel and re-run matches of others."""
    return _is_permitted(user, "arena.change_match")


def may_annul(user: Viewer) -> bool:
    """Return whether the user may annul rated matches."""
    return _is_permitted(user, "arena.add_annulment")


def may_end_seasons(user: Viewer) -> bool:
    """Return whether the user may end the season of a ladder."""
    return _is_permitted(user, "arena.add_season")


def may_revoke_tokens(user: Viewer) -> bool:
    """Return whether the user may revoke API tokens of others."""
    return isinstance(user, User) and user.is_superuser


def _is_permitted(user: Viewer, permission: str) -> bool:
    return isinstance(user, User) and is_staff(user) and user.has_perm(permission)
