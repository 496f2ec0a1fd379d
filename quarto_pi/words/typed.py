"""What people read at a keyboard: questions, what was done, what was typed wrong, and the rules of the game in play.

The words that are typed, such as `help`, are the same in every language.
"""

from __future__ import annotations

from collections.abc import Iterable

from quarto_pi.rules import Calling, FalseCallRule, Options, Piece, Player, Square, Trait, TraitValue
from quarto_pi.rules.piece import ALL_TRAITS
from quarto_pi.words.terms import Voice, listed, piece_alone, the_piece, trait_words


class TypedWords:
    """The sentences of a game at a keyboard, in one language, for those who sit there."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._t = voice.translations

    # --- Questions, and what may be typed at any time ---------------------------------------------------------------

    def hint(self) -> str:
        """What can always be typed."""
        return self._t.gettext("Type help at any time, or quit to leave.")

    def goodbye(self) -> str:
        """What is said to those who leave."""
        return self._t.pgettext("typed", "Goodbye!")

    def ask_level(self) -> str:
        """Whether one plays against the computer, and how well it is to play."""
        lines = (
            self._t.gettext("Against the computer? Type its level: 1 is easy, 10 never loses."),
            self._t.gettext("Two people? Just press Enter."),
        )
        return "\n".join(lines)

    def ask_again(self) -> str:
        """Whether there is to be another game."""
        return self._t.gettext("Another game? Press Enter, or type quit to leave.")

    def ask_give(self, player: Player, *, may_call: bool) -> str:
        """Which piece a player gives."""
        you = self._t.gettext("Which piece do you give to the computer?")
        question = self._voice.tell(player, you, self._t.gettext("%(player)s: which piece do you give?"))
        return self._or_call(question) if may_call else question

    def ask_place(self, player: Player, piece: Piece, *, may_call: bool) -> str:
        """Where a player places the piece that was given."""
        you = self._t.gettext("Where do you place %(piece)s?")
        named = self._t.gettext("%(player)s: where do you place %(piece)s?")
        question = self._voice.tell(player, you, named, piece=piece.letters)
        return self._or_call(question) if may_call else question

    def ask_last_call(self, person: Player) -> str:
        """How one calls, or does not, once all pieces are placed; `person` is somebody who may."""
        if self._voice.is_you(person):
            return self._t.gettext("Type quarto to call, or just press Enter.")
        return self._t.gettext("Type quarto 1 if player 1 calls, quarto 2 if player 2 does, or just press Enter.")

    def _or_call(self, question: str) -> str:
        return self._voice.sentences(question, self._t.gettext("(Or call: type quarto.)"))

    def guide_keys(self) -> str:
        """What can be typed where the keyboard stands in for the board's button."""
        return self._t.gettext("Enter presses the button, h and Enter holds it, quit leaves.")

    # --- What was done ----------------------------------------------------------------------------------------------

    def gave(self, player: Player, piece: Piece) -> str:
        """A piece was given."""
        you = self._t.gettext("You give %(piece)s: %(letters)s.")
        named = self._t.gettext("%(player)s gives %(piece)s: %(letters)s.")
        return self._voice.tell(player, you, named, piece=the_piece(self._t, piece), letters=piece.letters)

    def placed(self, player: Player, piece: Piece, square: Square) -> str:
        """A piece was placed, or moved to another square."""
        you = self._t.gettext("You place %(piece)s on %(square)s.")
        named = self._t.gettext("%(player)s places %(piece)s on %(square)s.")
        return self._voice.tell(player, you, named, piece=piece.letters, square=square.name)

    def taken_back(self, piece: Piece, square: Square) -> str:
        """The last placement was taken back, and the give before it."""
        form = self._t.gettext("The move is undone: %(piece)s is off %(square)s. Now a piece is given again.")
        return form % {"piece": piece.letters, "square": square.name}

    def named(self, piece: Piece) -> str:
        """A piece by all that it can be called: "DSRH d: dark, short, round, hollow"."""
        form = self._t.pgettext("typed", "%(letters)s or %(number)s: %(piece)s")
        return form % {"letters": piece.letters, "number": piece.digit, "piece": piece_alone(self._t, piece)}

    def record(self) -> str:
        """What stands above the game as text."""
        return self._t.gettext("The game as text:")

    # --- What was typed wrong ---------------------------------------------------------------------------------------

    def not_known(self, typed: str) -> str:
        """This means nothing here."""
        return self._t.gettext("I don't know '%(typed)s'. Type help to see what you can type.") % {"typed": typed}

    def no_level(self, typed: str) -> str:
        """This is no level of the computer."""
        form = self._t.gettext("'%(typed)s' is no level. Type a number from 1 to 10.")
        return form % {"typed": typed}

    def no_piece(self, typed: str, example: Piece) -> str:
        """This names no piece."""
        form = self._t.gettext(
            "'%(typed)s' is no piece. Type its letters or its number, such as %(letters)s or %(number)s."
        )
        return form % {"typed": typed, "letters": example.letters, "number": example.digit}

    def no_square(self, typed: str, example: Square) -> str:
        """This names no square."""
        form = self._t.gettext("'%(typed)s' is no square. Type a letter and a number, such as %(square)s.")
        return form % {"typed": typed, "square": example.name}

    def square_taken(self, square: Square) -> str:
        """A piece stands there."""
        return self._t.gettext("There is a piece on %(square)s. Choose an empty square.") % {"square": square.name}

    def piece_gone(self, piece: Piece, left: Iterable[Piece]) -> str:
        """This piece can't be given; which can."""
        form = self._t.gettext("%(piece)s can't be given any more. You can give: %(pieces)s.")
        return form % {"piece": piece.letters, "pieces": listed(self._t, (each.letters for each in left))}

    def nothing_to_undo(self) -> str:
        """No placement was made."""
        return self._t.gettext("There's no move to undo yet.")

    def not_to_be_moved(self) -> str:
        """The last piece stays where it is."""
        return self._t.gettext("Only the piece placed last can be moved, and only until the next one is given.")

    # --- The rules of this game, and what can be typed --------------------------------------------------------------

    def rules(self, options: Options) -> tuple[str, ...]:
        """How this game is played, a sentence or two a line; who calls is not said where the board does (D7)."""
        t = self._t
        lines = [t.gettext("Four pieces in a line, also diagonally, with one thing in common: a Quarto!")]
        if options.squares:
            lines.append(t.gettext("Four pieces in a small square, 2 by 2, make a Quarto as well."))
        if options.traits != ALL_TRAITS:
            things = listed(t, (self._either(trait) for trait in options.traits))
            lines.append(t.gettext("In this game only this counts: %(things)s.") % {"things": things})
        lines.append(t.gettext("You never choose your own piece: you get one, you place it, then you give one."))
        if options.calling is Calling.BUTTON:
            lines += self._calling(options)
        lines.append(t.gettext("All sixteen pieces are placed and nobody has won? It's a draw."))
        lines.append(t.gettext("There's no clock: take your time."))
        return tuple(lines)

    def _calling(self, options: Options) -> list[str]:
        t = self._t
        false_call = {
            FalseCallRule.REFUSE: t.gettext("You call and there is none? Nothing happens, the game goes on."),
            FalseCallRule.FORFEIT: t.gettext("You call and there is none? You lose this game."),
        }
        return [
            t.gettext("You see a Quarto? Type quarto! The first to call it wins, whoever began it."),
            t.gettext("You may call after you placed a piece, until you give the next one."),
            t.gettext("Your opponent forgot to call? Then you may, until you place your piece."),
            false_call[options.false_call],
        ]

    def _either(self, trait: Trait) -> str:
        words = trait_words(self._t)
        return "/".join(words[value] for value in trait.values)

    def how_pieces_look(self) -> str:
        """What stands above the pictures of what each letter means."""
        return self._t.gettext("Every piece has four letters:")

    def value(self, value: TraitValue) -> str:
        """A trait's value, standing alone."""
        return trait_words(self._t)[value]

    def orders(self, options: Options, piece: Piece, square: Square) -> tuple[tuple[str, str], ...]:
        """What can be typed, with this piece and square as examples, and what each does."""
        t = self._t
        letters = t.pgettext("typed", "%(letters)s or %(number)s") % {"letters": piece.letters, "number": piece.digit}
        call = (("quarto", t.gettext("call a Quarto")),) if options.calling is Calling.BUTTON else ()
        return (
            (letters, t.gettext("give this piece")),
            (square.name, t.gettext("place the piece on this square")),
            *call,
            (f"give {piece.digit}", t.gettext("give another piece instead, before it is placed")),
            (f"move {square.name}", t.gettext("move the piece placed last, before the next one is given")),
            ("undo", t.gettext("undo the last move")),
            ("board", t.gettext("show the board again")),
            ("help", t.gettext("show this")),
            ("quit", t.gettext("leave the game")),
        )
