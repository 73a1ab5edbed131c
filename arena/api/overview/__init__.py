"""Read models that span packages: endpoints."""
