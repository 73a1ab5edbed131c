"""Pages about users, tokens, quotas, notices and the log of staff actions."""
