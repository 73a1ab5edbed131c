"""The images in which bots run: one folder per language, and what builds them."""
