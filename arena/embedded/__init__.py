"""A whole site on one machine: SQLite, messages in files, and its processes, all in one folder."""
