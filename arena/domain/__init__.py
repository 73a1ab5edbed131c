"""What the site does: one file per noun, plain functions, keyword-only."""
