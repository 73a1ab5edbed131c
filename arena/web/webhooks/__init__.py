"""Webhooks: pages."""
