"""Read models that span rooms: pages."""
