"""Webhooks: endpoints, and what deliveries contain."""
