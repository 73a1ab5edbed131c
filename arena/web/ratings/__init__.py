"""Charts of ratings and intervals for pages."""
