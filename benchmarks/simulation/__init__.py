"""Ladders of bots whose strength is known: who meets, what is believed, when it is right."""
