"""Pages whose data comes from several rooms."""
