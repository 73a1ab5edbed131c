"""What the site does: one package per capability, plain functions, keyword-only arguments."""
