"""A game at one keyboard, of two people or against the computer: a typed line goes in, what is to be shown comes out.

There is no clock at this table: a call waits for its placement as long as it takes (D1), and the last chance to call
after the sixteenth piece (D3) ends when somebody says so.
"""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Budget, Move
from quarto_pi.engine.temptation import MOVE_NODES
from quarto_pi.referee.messages import (
    CallWaits,
    Drawing,
    Drawn,
    FalseCall,
    Forfeited,
    Foul,
    LastCall,
    MissedAlignment,
    NobodyCalls,
    NoQuarto,
    Won,
)
from quarto_pi.referee.settings import PERSON, Seat
from quarto_pi.rules import (
    PIECES,
    SQUARES,
    Action,
    Alignment,
    Call,
    Called,
    Calling,
    Clear,
    Ended,
    Event,
    Game,
    Give,
    Given,
    Latched,
    Missed,
    NotationError,
    NothingToUndo,
    Options,
    Phase,
    Piece,
    PieceNotAvailable,
    Place,
    Placed,
    Player,
    QuartoError,
    Reason,
    Result,
    Shift,
    Shifted,
    Square,
    SquareTaken,
    Undo,
    Undone,
    WrongMoment,
    apply,
    parse_digit,
    parse_piece,
    parse_square,
)
from quarto_pi.rules.piece import ALL_TRAITS
from quarto_pi.terminal.picture import Ink, columns_of, draw_board, draw_piece, draw_shelf, draw_values, padded
from quarto_pi.words import TypedWords, Words
from quarto_pi.words.terms import TWO_PEOPLE, Seats

# --- The computer at the terminal's table: its opponent's moves, one action at a time ---------------------------------


class ComputerPlayer:
    """One side of a game, played by an opponent."""

    def __init__(self, player: Player, opponent: Opponent) -> None:
        self.player = player
        self._opponent = opponent
        # A move is a placement and what follows it: the rest is kept until its turn has come.
        self._rest: Move | None = None

    @property
    def seats(self) -> Seats:
        """Who sits where, with the computer on its side."""
        computer = Seat(self._opponent.level)
        return (computer, PERSON) if self.player is Player.A else (PERSON, computer)

    def next_action(self, game: Game) -> Action | None:
        """The computer's next action; None where it is not its turn."""
        if game.phase is Phase.FINAL_CALL:
            return self._last_word(game)
        if game.over or game.to_act is not self.player:
            return None
        if game.phase is Phase.PLACE:
            return self._place(game)
        rest, self._rest = self._rest, None
        if rest is None or rest.give not in (None, *game.available):
            # The first give, or a turn that an undo has given back.
            rest = self._choose(game)
        return Call(self.player) if rest.call else _give(rest)

    def _place(self, game: Game) -> Action | None:
        if game.open and self._opponent.calls(game.position, game.open):
            return Call(self.player)
        move = self._choose(game)
        self._rest = Move(None, move.give, move.call)
        return None if move.square is None else Place(move.square)

    def _last_word(self, game: Game) -> Action | None:
        """After the sixteenth piece: its own call, or the one that the other player has not made yet."""
        rest, self._rest = self._rest, None
        if game.maker is self.player and rest is not None and rest.call:
            return Call(self.player)
        return None

    def calls_at_last(self, game: Game) -> bool:
        """Whether the computer calls once the other player has let the last chance go by (D3)."""
        return game.maker is not self.player and bool(game.open) and self._opponent.calls(game.position, game.open)

    def _choose(self, game: Game) -> Move:
        return self._opponent.choose(game.position, Budget(MOVE_NODES))


def _give(move: Move) -> Action | None:
    return None if move.give is None else Give(move.give)


# --- A game at one keyboard -------------------------------------------------------------------------------------------

PIECES_FOR_A_QUARTO: Final = 4


class TerminalGame:
    """One keyboard, one game: `hear` takes a line and gives what is to be shown; `closed` tells that it is over."""

    def __init__(
        self,
        options: Options,
        starter: Player,
        ink: Ink,
        computer: ComputerPlayer | None = None,
        words: Words | None = None,
    ) -> None:
        self.game = Game(options=options, starter=starter)
        self.closed = False
        self._ink = ink
        self._computer = computer
        self._words = words or Words()
        self._seats = TWO_PEOPLE if computer is None else computer.seats
        self._typed = self._words.typed(self._seats)

    @property
    def prompt(self) -> str:
        """What the table asks for."""
        game, typed = self.game, self._typed
        # Whether there is something to call is not told (D8): it is told where there could be.
        may_call = game.options.calling is Calling.BUTTON
        if game.phase is Phase.PLACE and game.hand is not None:
            could_be = may_call and game.board.count >= PIECES_FOR_A_QUARTO - 1
            return typed.ask_place(game.receiver, game.hand, may_call=could_be)
        if game.phase is Phase.FINAL_CALL:
            person = Player.A if self._computer is None else self._computer.player.other
            return f"{self._words.say(LastCall(), self._seats)}\n{typed.ask_last_call(person)}"
        could_be = may_call and game.board.count >= PIECES_FOR_A_QUARTO
        return typed.ask_give(game.giver, may_call=could_be)

    def welcome(self) -> str:
        """What is shown before the first turn: who starts (R2), and the pieces."""
        starts = self._words.say(Drawing(self.game.starter), self._seats)
        return "\n".join([starts, self._typed.hint(), "", *self._answer([])])

    def view(self) -> str:
        """The board, and the piece in hand or those to choose from."""
        game = self.game
        marked = {square for line in (game.result.alignments if game.result else ()) for square in line.squares}
        parts = [draw_board(game.board, self._ink, marked)]
        if game.phase is Phase.PLACE and game.hand is not None:
            upper, lower = draw_piece(game.hand, self._ink)
            parts.append(f"    {upper}\n    {lower}   {self._typed.named(game.hand)}")
        elif game.phase is Phase.GIVE:
            parts.append(draw_shelf(game.available, self._ink))
        return "\n\n".join(parts) + "\n"

    def help(self) -> str:
        """The rules of this game, how the pieces look, and what can be typed."""
        return help_text(self._typed, self.game.options, self._ink, *self._examples())

    def hear(self, line: str) -> str:
        """What the table answers to a line that somebody has typed."""
        order = order_in(line)
        words = order.split()
        if order in HELP_ORDERS:
            return self.help()
        if order in QUIT_ORDERS:
            self.closed = True
            return self._typed.goodbye()
        if words == ["board"] or (not words and self.game.phase is not Phase.FINAL_CALL):
            return self.view()
        try:
            return "\n".join(["", *self._answer(self._done(self._understand(words)))])
        except QuartoError as error:
            return self._refusal(words, line.strip(), error)

    def _understand(self, words: list[str]) -> Action:
        """The action that is meant; a NotationError for a piece or square that does not exist, or for anything else."""
        match words:
            case []:
                computer = self._computer
                return Call(computer.player) if computer and computer.calls_at_last(self.game) else Clear()
            case ["undo"]:
                return Undo()
            case ["quarto" | "call"]:
                return Call(self._caller())
            case ["quarto" | "call", "1" | "2" | "a" | "b" as who] if self._computer is None:
                return Call(Player.A if who in ("1", "a") else Player.B)
            case ["move", square]:
                return Shift(parse_square(square))
            case ["give", piece] | [piece] if words[0] == "give" or self.game.phase is Phase.GIVE:
                return Give(_piece_in(piece))
            case [square] if self.game.phase is Phase.PLACE:
                return Place(parse_square(square))
        raise NotationError(f"{' '.join(words)!r} means nothing here.")

    def _refusal(self, words: list[str], line: str, error: QuartoError) -> str:
        """What is wrong with a line, in one sentence."""
        typed, game = self._typed, self.game
        piece, square = self._examples()
        match error:
            case SquareTaken():
                return typed.square_taken(parse_square(words[-1]))
            case PieceNotAvailable():
                return typed.piece_gone(_piece_in(words[-1]), game.available)
            case NothingToUndo():
                return typed.nothing_to_undo()
            case WrongMoment() if words[0] == "move":
                return typed.not_to_be_moved()
            case WrongMoment() if game.options.calling is Calling.AUTO:
                return self._words.say(NobodyCalls(), self._seats)
            case NotationError() if words[0] == "give" or (len(words) == 1 and game.phase is Phase.GIVE):
                return typed.no_piece(quoted(line), piece)
            case NotationError() if words[0] == "move" or (len(words) == 1 and game.phase is Phase.PLACE):
                return typed.no_square(quoted(line), square)
        return typed.not_known(quoted(line))

    def _examples(self) -> tuple[Piece, Square]:
        """A piece that can be given and a square that is free, as long as there are any."""
        game = self.game
        return (game.available or PIECES)[-1], (game.board.empty_squares or SQUARES)[0]

    def _caller(self) -> Player:
        """Who calls with the one keyboard: whose turn it is; in the final call the maker (D3)."""
        if self._computer is not None:
            return self._computer.player.other
        return self.game.to_act or self.game.maker or self.game.starter

    def _done(self, action: Action) -> list[str]:
        """What comes about by an action, in words."""
        self.game = apply(self.game, action)
        return [sentence for event in self.game.news for sentence in self._told(event)]

    def _answer(self, told: list[str]) -> list[str]:
        """The board after what has been told, and after what the computer does next."""
        while self._computer is not None and (action := self._computer.next_action(self.game)) is not None:
            told += self._done(action)
        self.closed = self.game.over
        return [self.view(), *told]

    def _told(self, event: Event) -> list[str]:
        """One thing that has happened, in words."""
        typed = self._typed
        match event:
            case Given(piece=piece, by=player):
                return [typed.gave(player, piece)]
            case Placed(square=square, piece=piece, player=player) | Shifted(square=square, piece=piece, player=player):
                return [typed.placed(player, piece, square)]
            case Latched(player=player):
                return [self._words.say(CallWaits(player), self._seats)]
            case Called(player=player, valid=False) if not self.game.over:
                return [self._words.say(FalseCall(player, NoQuarto.of(event, self.game)), self._seats)]
            case Missed(alignments=alignments):
                return self._with_each(MissedAlignment(alignments), alignments)
            case Undone(square=square, piece=piece):
                return [typed.taken_back(piece, square)]
            case Ended(result=result):
                return self._ended(result)
        return []

    def _ended(self, result: Result) -> list[str]:
        if result.winner is None:
            return [self._words.say(Drawn(self.game.missed), self._seats)]
        if result.reason is Reason.FORFEIT:
            why = NoQuarto.of(self.game.calls[-1], self.game)
            return [self._words.say(Forfeited(result.winner.other, Foul.FALSE_CALL, why), self._seats)]
        won = Won(result.winner, result.alignments, called=result.reason is Reason.CALL)
        return self._with_each(won, result.alignments)

    def _with_each(self, message: Won | MissedAlignment, alignments: tuple[Alignment, ...]) -> list[str]:
        """A message, and each alignment by itself where it only tells how many they are."""
        each = [f"  {self._words.alignment(alignment)}" for alignment in alignments] if len(alignments) > 1 else []
        return [self._words.say(message, self._seats), *each]


def _piece_in(word: str) -> Piece:
    return parse_digit(word) if len(word) == 1 else parse_piece(word)


# --- What can be typed at every question ------------------------------------------------------------------------------

HELP_ORDERS: Final = ("help", "?", "h")
QUIT_ORDERS: Final = ("quit", "exit", "q")

LONGEST_QUOTED: Final = 30


def order_in(line: str) -> str:
    """A typed line in small letters, single spaces and no exclamation marks; a Chinese keyboard's wide ones count too.

    >>> order_in("  Move   C3!! ")
    'move c3'
    """
    return " ".join(normalize("NFKC", line).lower().replace("!", " ").split())


def quoted(line: str) -> str:
    """What somebody has typed, short and printable enough to be shown in a sentence."""
    text = "".join(letter if letter.isprintable() else "?" for letter in line)
    return text if len(text) <= LONGEST_QUOTED else f"{text[: LONGEST_QUOTED - 3]}..."


def help_text(typed: TypedWords, options: Options, ink: Ink, piece: Piece, square: Square) -> str:
    """The rules with these options, how pieces look, and what can be typed, with this piece and square as examples."""
    orders = typed.orders(options, piece, square)
    columns = max(columns_of(order) for order, _ in orders)
    return "\n".join(
        (
            *typed.rules(options),
            "",
            typed.how_pieces_look(),
            draw_values({value: typed.value(value) for trait in ALL_TRAITS for value in trait.values}, ink),
            "",
            *(f"  {padded(order, columns)}   {meaning}" for order, meaning in orders),
        )
    )
