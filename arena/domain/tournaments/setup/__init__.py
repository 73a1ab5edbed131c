"""Before a tournament is announced: its terms, what it will be, how long it will take."""
