"""What somebody understands of a sentence at the board: a few verbs, pieces by their looks, squares by their names.

Of the catalogue only the words for a piece, a square and the giving spot are known; no prompt, and no whole sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from quarto_pi.rules import PIECES, Piece, Player, parse_piece
from quarto_pi.sensing.readings import CELLS, OFFER
from quarto_pi.words import Words
from quarto_pi.words.catalogue import catalogue_of
from quarto_pi.words.terms import from_cell, piece_alone, the_piece


@dataclass(frozen=True, slots=True)
class Verbs:
    """What a newcomer knows of a language, as patterns of small letters.

    `free` is any empty square, or the board; `beside` is where pieces are that do not play; `provided` begins what
    holds only under a condition.
    """

    put: str
    take: str
    press: str
    free: str
    beside: str
    provided: str
    wait: str


VERBS: Final = {
    "en": Verbs(
        r"\b(put|place|move|make|give|hand|pick|choose)\b",
        r"\b(take|clear)\b",
        r"\bpress\b",
        r"any square|empty square|on the board|you are given|and hand it",
        r"beside the board",
        r"\bif\b",
        r"\bwait\b",
    ),
    "de": Verbs(
        r"\b(stelle?|setze?|lege?|gib|such)\b",
        r"\b(nimm|räume?|heb)\b",
        r"\b(drücke?|drücken)\b",
        r"leeres feld|irgendein|auf das brett|die du bekommst|und gib sie",
        r"neben das brett",
        r"\bwenn\b",
        r"\b(warte|warten)\b",
    ),
    "fr": Verbs(
        r"\b(pose|place|remets|ramène|déplace|donne|choisis|mets)\b",
        r"\b(enlève|range|vide|soulève|retire)\b",
        r"\bappuie\b",
        r"case libre|sur le plateau|que tu reçois|et donne-la",
        r"à côté du plateau",
        r"\bsi oui\b|\bsinon\b",
        r"\battends\b",
    ),
    "nl": Verbs(
        r"\b(zet|leg|geef|kies)\b",
        r"\b(haal|ruim|maak|pak|neem)\b",
        r"\bdruk\b",
        r"leeg hokje|op het bord|die je krijgt|en geef hem",
        r"naast het bord",
        r"\bzo ja\b|\bzo niet\b",
        r"\bwacht\b",
    ),
    "lt": Verbs(
        r"\b(padėk|dėk|perkelk|grąžink|duok|išsirink)\b",
        r"\b(nuimk|pašalink|nuvalyk|paimk)\b",
        r"\bspausk\b",
        r"laisvą laukelį|ant lentos|kurią gausi|ir (pa)?duok ją",
        r"šalia lentos",
        r"\bjei\b",
        r"\bpalauk\b",
    ),
    "zh_TW": Verbs(
        r"放|移|交給",
        r"拿開|拿下|拿走|清空|收拾",
        r"按",
        r"空格|棋盤|你拿到的|柱體交給對手",
        r"棋盤旁",
        r"要|就|不然|不是",
        r"等",
    ),
    "es": Verbs(
        r"\b(pon|ponla|coloca|colócala|lleva|devuelve|devuélvela|da|dala|elige)\b",
        r"\b(quita|quítala|quítalo|recoge|vacía|retira)\b",
        r"\bpulsa\b",
        r"casilla libre|en el tablero|que te dan|y d(a|áse)la",
        r"junto al tablero",
        r"\bsi no\b|\bsi es así\b",
        r"\bespera\b",
    ),
    "it": Verbs(
        r"\b(metti|mettila|sposta|rimetti|rimettila|riporta|dai|scegli)\b",
        r"\b(togli|toglila|toglilo|riordina|svuota)\b",
        r"\bpremi\b",
        r"casella libera|sul tabellone|che ricevi|e (dalla|consegnala)",
        r"accanto al tabellone",
        r"\bse no\b|\bse sì\b",
        r"\baspetta\b",
    ),
    "pt": Verbs(
        r"\b(põe|coloca|coloca-a|leva|volta a pôr|pousa|dá|escolhe)\b",
        r"\b(tira|tira-a|tira-o|arruma|esvazia|retira)\b",
        r"\bcarrega\b",
        r"casa vazia|no tabuleiro|que te derem|e dá-a",
        r"ao lado do tabuleiro",
        r"\bse não\b|\bse sim\b",
        r"\bespera\b",
    ),
}

SQUARE: Final = re.compile(r"(?<![a-z0-9<])([a-d][1-4])(?![a-z0-9>])")
PIECE: Final = re.compile(r"<([A-Z]{4})>")
SHORT: Final = 4
"""Longer names may end otherwise in a sentence."""
PARTS: Final = re.compile(r"[^.!?。！？;，]+[.!?。！？;，]?")


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a sentence: what it tells to do, with which piece, and where."""

    put: bool
    take: bool
    press: bool
    asks: bool
    provided: bool
    piece: Piece | None
    squares: tuple[str, ...]
    gives: bool
    free: bool
    beside: bool
    wait: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """A text as it is understood: its parts, and whom it names, in their order."""

    clauses: tuple[Clause, ...]
    players: tuple[Player, ...]

    @property
    def says_to_wait(self) -> bool:
        """Whether there is a case in which nothing is to be done."""
        return any(clause.wait for clause in self.clauses)

    @property
    def piece(self) -> Piece | None:
        """The piece that it speaks of last."""
        return next((clause.piece for clause in reversed(self.clauses) if clause.piece is not None), None)


class Tongue:
    """A language as a newcomer knows it."""

    def __init__(self, language: str) -> None:
        t = catalogue_of(language).translations
        self._verbs = VERBS[language]
        self._pieces = [
            (form(t, piece).casefold(), f"<{piece.letters}>") for piece in PIECES for form in (the_piece, piece_alone)
        ]
        before = "從" if language == "zh_TW" else ""
        self._origins = [f"{before}{from_cell(t, cell)}".casefold() for cell in CELLS]
        # In a sentence its name has an ending of its own in some languages.
        name = Words(language).cell(OFFER).casefold()
        self._give = re.compile(name[:-1] if len(name) > SHORT else name)
        self._players = [(Words(language).player(player).casefold(), player) for player in Player]
        self._joins_words = language != "zh_TW"

    def join(self, parts: tuple[str, ...]) -> str:
        """Lines one below the other, as they are read."""
        return (" " if self._joins_words else "").join(parts)

    @cache  # noqa: B019 - there is one for each language
    def understand(self, text: str) -> Heard:
        """What a text says."""
        plain = " ".join(text.casefold().replace("\xa0", " ").split())
        players = sorted((plain.find(name), player.value) for name, player in self._players if name in plain)
        for described, letters in self._pieces:
            plain = plain.replace(described, letters)
        for origin in self._origins:
            plain = plain.replace(origin, " ")
        clauses = tuple(self._clause(part) for part in PARTS.findall(plain) if part.strip())
        return Heard(clauses, tuple(Player(number) for _, number in players))

    def _clause(self, part: str) -> Clause:
        verbs = self._verbs
        named = PIECE.search(part)
        said = PIECE.sub(" ", part)
        gives = self._give.search(said) is not None
        return Clause(
            put=re.search(verbs.put, said) is not None,
            take=re.search(verbs.take, said) is not None,
            press=re.search(verbs.press, said) is not None,
            asks=part.rstrip().endswith(("?", "？")),
            provided=re.search(verbs.provided, said) is not None,
            piece=parse_piece(named[1]) if named else None,
            squares=tuple(SQUARE.findall(said)),
            gives=gives,
            free=re.search(verbs.free, said) is not None,
            beside=re.search(verbs.beside, said) is not None,
            wait=re.search(verbs.wait, said) is not None,
        )


@cache
def tongue(language: str) -> Tongue:
    """What a newcomer knows of a language."""
    return Tongue(language)
