from engine import duel

FAMILY = duel
