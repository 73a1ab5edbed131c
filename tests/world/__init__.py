"""A whole site for tests: rows of every kind, an address for every route, writes for the API."""
