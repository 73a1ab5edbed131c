"""Browsers of users who sign in with a password."""

PASSWORD = "correct horse"


def sign_in(client, name="ada", password=PASSWORD, **extra):
    return client.post("/accounts/login/", {"login": name, "password": password}, **extra)


def is_signed_in(client):
    return client.get("/notices/").status_code == 200


def confirm_password(client):
    """Say the password again, as before what needs a fresh sign-in."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
