"""Changes to the product that the tests must notice."""
