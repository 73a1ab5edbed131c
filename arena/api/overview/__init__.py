"""Read models that span rooms: endpoints."""
