"""The version of the engine, as records carry it; it goes up whenever a game would change."""

VERSION = "0.1.0"
