"""Users, tokens, quotas, notices and the log of what staff does: pages."""
