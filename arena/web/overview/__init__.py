"""Pages whose data comes from several packages."""
