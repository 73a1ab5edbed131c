"""The settings of the site, with a hash that is quick: the guesses of a test are many."""

from arena.settings import *  # noqa: F403 - a settings module is its names

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
