"""The scopes of tokens in words."""

from arena.models import Scope
from arena.texts.accounts import SCOPES


def test_every_scope_has_a_text_of_its_own():
    assert set(SCOPES) == set(map(str, Scope))
    assert len(set(map(str, SCOPES.values()))) == len(SCOPES)
