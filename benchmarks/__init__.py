"""How fast the product is, measured side by side with others in one run and told as ratios."""
