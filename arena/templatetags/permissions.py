"""Filters for the predicates of permissions: `{% if user|may_edit_bot:bot %}`."""

from django import template

from arena.domain.accounts import permissions

register = template.Library()

for name, predicate in vars(permissions).items():
    if name.startswith("may_"):
        register.filter(name, predicate)
