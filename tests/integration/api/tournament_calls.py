"""How tests talk to the API of tournaments."""

from tests.integration.tournaments.test_api_tournaments import etag


def post(who, slug, rest, values=None, **headers):
    return who.post(f"/tournaments/{slug}/{rest}", values or {}, format="json", headers=headers)


def read(who, slug, rest):
    return who.get(f"/tournaments/{slug}/{rest}").json()


def act(who, slug, act, *, dry_run=False, tag=None, **values):
    """Do an act as it is looked at now, or only try it."""
    rest = "acts?dry_run=1" if dry_run else "acts"
    headers = {} if dry_run else {"If-Match": tag or etag(who, slug)}
    return post(who, slug, rest, {"act": act, "reason": "a test", **values}, **headers)
