"""The texts around a rule page, in the languages of rule pages.

They follow the page, not the visitor: a French page is French from its contents to its links.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Furniture:
    """The texts around a rule page; `house_rule` matches the words that mark a house rule."""

    name: str
    house_rule: re.Pattern[str]
    rules: str
    contents: str
    further: str
    ledger: str
    schema: str
    protocol: str
    play: str
    ladder: str
    other_languages: str
    example: str


FURNITURE: Mapping[str, Furniture] = {
    "en": Furniture(
        name="English",
        house_rule=re.compile("house rules?", re.IGNORECASE),
        rules="Rules",
        contents="Contents",
        further="Further",
        ledger="The ledger: every rule with its source and its tests",
        schema="JSON Schema of the messages",
        protocol="The protocol of all games",
        play="Play against a bot",
        ladder="Ladder: %(name)s",
        other_languages="Language of the rules",
        example="An example, after set-up",
    ),
    "fr": Furniture(
        name="Français",
        house_rule=re.compile("règles? maison", re.IGNORECASE),
        rules="Règles",
        contents="Sommaire",
        further="Pour aller plus loin",
        ledger="Le registre : chaque règle, sa source et ses tests (en anglais)",
        schema="Schéma JSON des messages",
        protocol="Le protocole de tous les jeux (en anglais)",
        play="Jouer contre un bot",
        ladder="Classement : %(name)s",
        other_languages="Langue des règles",
        example="Un exemple, après la mise en place",
    ),
    "nl": Furniture(
        name="Nederlands",
        house_rule=re.compile("huisregels?", re.IGNORECASE),
        rules="Regels",
        contents="Inhoud",
        further="Verder",
        ledger="Het register: elke regel met zijn bron en zijn tests (in het Engels)",
        schema="JSON-schema van de berichten",
        protocol="Het protocol van alle spelen (in het Engels)",
        play="Tegen een bot spelen",
        ladder="Ranglijst: %(name)s",
        other_languages="Taal van de regels",
        example="Een voorbeeld, na de opstelling",
    ),
    "de": Furniture(
        name="Deutsch",
        house_rule=re.compile("hausregeln?", re.IGNORECASE),
        rules="Regeln",
        contents="Inhalt",
        further="Weiteres",
        ledger="Das Register: jede Regel mit Quelle und Tests (auf Englisch)",
        schema="JSON-Schema der Nachrichten",
        protocol="Das Protokoll aller Spiele (auf Englisch)",
        play="Gegen einen Bot spielen",
        ladder="Rangliste: %(name)s",
        other_languages="Sprache der Regeln",
        example="Ein Beispiel, nach der Aufstellung",
    ),
}
