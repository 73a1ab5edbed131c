"""Webhooks: what users are told of at addresses of their own, and how it is sent there."""
