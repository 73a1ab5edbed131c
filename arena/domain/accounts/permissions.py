"""Who may see or do what, for pages, the API, templates and the domain.

The first argument of every predicate is the user who asks: a user, an anonymous user, or None for
the public. The query set method `visible_to` selects the rows that a user may see in lists.
"""

from django.conf import settings

from arena.models import Bot, Match, MatchKind, Tournament, User, Viewer, is_staff, sees_unannounced


def registration_is_open() -> bool:
    """Return whether visitors may make accounts for themselves, and not only operators for them."""
    return bool(settings.REGISTRATION_OPEN)


def may_edit_account(user: Viewer, person: User) -> bool:
    """Return whether the account is the user's own."""
    return isinstance(user, User) and user.pk == person.pk


def may_edit_bot(user: Viewer, bot: Bot) -> bool:
    """Return whether the user owns the bot, so may act for it and receives its notices."""
    return isinstance(user, User) and user.pk == bot.owner_id


def may_see_logs(user: Viewer, bot: Bot) -> bool:
    """Return whether the user may read the bot's logs and evidence: its owner and staff may."""
    return may_edit_bot(user, bot) or is_staff(user)


def may_challenge(user: Viewer, bot: Bot) -> bool:
    """Return whether the bot's owner lets the user challenge it."""
    return bot.accepts_challenges or may_edit_bot(user, bot)


def may_cancel_challenge(user: Viewer, match: Match) -> bool:
    """Return whether the match is a challenge that the user requested, or that staff may cancel."""
    is_own = isinstance(user, User) and user.pk == match.requested_by_id
    return match.kind == MatchKind.CHALLENGE and (is_own or is_staff(user))


def may_organize(user: Viewer, tournament: Tournament) -> bool:
    """Return whether the user may manage the tournament and see all of it.

    Its organizers and staff may. Needs one query for users who are not staff, and none if the
    organizers are prefetched.
    """
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_staff or tournament.organizers.contains(user)


def may_exceed_quotas(user: Viewer) -> bool:
    """Return whether the limits of uploads, challenges and tournaments do not apply to the user."""
    return is_staff(user)


def may_see_staff_pages(user: Viewer) -> bool:
    """Return whether the user may see the staff pages, the queue alarm and the metrics."""
    return is_staff(user)


def may_see_unannounced_matches(user: Viewer) -> bool:
    """Return whether the user may see who plays a rated match that no runner has begun."""
    return sees_unannounced(user)


def may_correct_matches(user: Viewer) -> bool:
    """Return whether the user may void, cancel and re-run matches of other users."""
    return _is_permitted(user, "arena.change_match")


def may_annul(user: Viewer) -> bool:
    """Return whether the user may annul rated matches."""
    return _is_permitted(user, "arena.add_annulment")


def may_end_seasons(user: Viewer) -> bool:
    """Return whether the user may end the season of a ladder."""
    return _is_permitted(user, "arena.add_season")


def may_report(user: Viewer) -> bool:
    """Return whether the user may report users, bots and tournaments to staff."""
    return isinstance(user, User) and user.is_active


def may_moderate(user: Viewer) -> bool:
    """Return whether the user may close reports, ban users, rename and clear descriptions."""
    return _is_permitted(user, "arena.change_abusereport")


def may_revoke_tokens(user: Viewer) -> bool:
    """Return whether the user may revoke API tokens of other users."""
    return isinstance(user, User) and user.is_superuser


def _is_permitted(user: Viewer, permission: str) -> bool:
    return isinstance(user, User) and is_staff(user) and user.has_perm(permission)
