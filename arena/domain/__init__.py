"""What the site does: one room per capability, plain functions, keyword-only arguments."""
