"""Changes to the product that the tests must notice: known ones, and ones drawn by lot."""
