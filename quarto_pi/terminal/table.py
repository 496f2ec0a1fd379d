"""A game at one keyboard, of two people or against the computer: a typed line goes in, what is to be shown comes out.

There is no clock at this table: a call waits for its placement as long as it takes (D1), and the last chance to call
after the sixteenth piece (D3) ends when somebody says so.
"""

from __future__ import annotations

from quarto_pi.engine.opponent import Leisure, Opponent
from quarto_pi.engine.solver import Budget, Move
from quarto_pi.rules import (
    Action,
    Call,
    Calling,
    Clear,
    Game,
    Give,
    NotationError,
    Options,
    Phase,
    Place,
    Player,
    QuartoError,
    Shift,
    Undo,
    apply,
    parse_digit,
    parse_piece,
    parse_square,
)
from quarto_pi.terminal.picture import Ink, Names, describe, draw_board, draw_piece, draw_shelf, tell

# --- The computer at the terminal's table: its opponent's moves, one action at a time ---------------------------------

TERMINAL_LEISURE_NODES = 300_000
"""What may be spent on choosing among equal moves; a part of a second where the search is compiled."""


class ComputerPlayer:
    """One side of a game, played by an opponent."""

    def __init__(self, player: Player, opponent: Opponent) -> None:
        self.player = player
        self._opponent = opponent
        # A move is a placement and what follows it: the rest is kept until its turn has come.
        self._rest: Move | None = None

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
        return self._opponent.choose(game.position, Budget(), Leisure(Budget(nodes=TERMINAL_LEISURE_NODES)))


def _give(move: Move) -> Action | None:
    return None if move.give is None else Give(move.give)


# --- A game at one keyboard -------------------------------------------------------------------------------------------

HELP = """\
How to play: four pieces in a row, column or diagonal that share a colour, height, shape or top make a Quarto.
You don't choose your own piece: your opponent gives it to you.

Type the code of a piece, such as LTRF, to give it: L light or D dark, T tall or S short, R round or Q square,
F solid (full) or H hollow. Type a square, such as b2, to place a piece on it. And at any time:
  quarto     call a Quarto: the player who has just placed may, or the one who has just been given a piece
  move c3    move the piece just placed to another square, before the next one is given
  undo       take back the last placement and the give before it
  board      show the board again
  help       show this
  quit       end the game"""


class TerminalGame:
    """One keyboard, one game."""

    def __init__(self, options: Options, starter: Player, ink: Ink, computer: ComputerPlayer | None = None) -> None:
        self.game = Game(options=options, starter=starter)
        self.closed = False
        self._ink = ink
        self._computer = computer
        self._names = Names({} if computer is None else {computer.player: "The computer"})

    @property
    def prompt(self) -> str:
        """What the table asks for."""
        game = self.game
        if game.phase is Phase.PLACE and game.hand is not None:
            return f"{self._names.of(game.receiver)}, where do you place {game.hand}? "
        if game.phase is Phase.FINAL_CALL:
            return "All pieces are placed. A last QUARTO! from anybody? (quarto 1, quarto 2, or Enter for no) "
        if game.board.count == 0:
            return f"{self._names.of(game.giver)}, which piece do you give to {self._names.of(game.receiver)}? "
        call = "" if game.options.calling is Calling.AUTO else " (or call: quarto)"
        return f"{self._names.of(game.giver)}, which piece do you give?{call} "

    def welcome(self) -> str:
        """What is shown before the first turn: who starts (R2), and the pieces."""
        starts = f"{self._names.of(self.game.starter)} starts and gives the first piece. Type help at any time.\n"
        return "\n".join([starts, *self._answer([])])

    def view(self) -> str:
        """The board, and the piece in hand or those to choose from."""
        game = self.game
        marked = {square for line in (game.result.alignments if game.result else ()) for square in line.squares}
        parts = [draw_board(game.board, self._ink, marked)]
        if game.phase is Phase.PLACE and game.hand is not None:
            upper, lower = draw_piece(game.hand, self._ink)
            parts.append(f"    {upper}\n    {lower}   {describe(game.hand)}, for {self._names.of(game.receiver)}")
        elif game.phase is Phase.GIVE:
            parts.append(draw_shelf(game.available, self._ink))
        return "\n\n".join(parts) + "\n"

    def hear(self, line: str) -> str:
        """What the table answers to a line that somebody has typed."""
        words = line.lower().replace("!", "").split()
        match words:
            case ["help" | "?"]:
                return HELP
            case ["quit" | "exit" | "q"]:
                self.closed = True
                return "Goodbye."
            case ["board"]:
                return self.view()
            case [] if self.game.phase is not Phase.FINAL_CALL:
                return self.view()
        try:
            return self._carry_out(self._understand(words))
        except QuartoError as error:
            text = str(error)
            return f"{text[0].upper()}{text[1:]}"

    def _understand(self, words: list[str]) -> Action:
        match words:
            case []:
                computer = self._computer
                return Call(computer.player) if computer and computer.calls_at_last(self.game) else Clear()
            case ["undo"]:
                return Undo()
            case ["quarto" | "call"]:
                return Call(self._caller())
            case ["quarto" | "call", "1" | "2" | "a" | "b" as who]:
                return Call(Player.A if who in ("1", "a") else Player.B)
            case ["move", square]:
                return Shift(parse_square(square))
            case [word] if self.game.phase is Phase.PLACE:
                return Place(parse_square(word))
            case [word] if self.game.phase is Phase.GIVE:
                return Give(parse_digit(word) if len(word) == 1 else parse_piece(word))
            case ["give", word]:
                return Give(parse_piece(word))
        raise NotationError(f"'{' '.join(words)}' does not work here: type help to see what does.")

    def _caller(self) -> Player:
        """Who calls with the one keyboard: whose turn it is; in the final call the maker (D3)."""
        if self._computer is not None:
            return self._computer.player.other
        return self.game.to_act or self.game.maker or self.game.starter

    def _carry_out(self, action: Action) -> str:
        return "\n".join(["", *self._answer(self._done(action))])

    def _done(self, action: Action) -> list[str]:
        """What comes about by an action, in words."""
        self.game = apply(self.game, action)
        return [sentence for event in self.game.news if (sentence := tell(event, self._names))]

    def _answer(self, told: list[str]) -> list[str]:
        """The board after what has been told, and after what the computer does next."""
        while self._computer is not None and (action := self._computer.next_action(self.game)) is not None:
            told += self._done(action)
        self.closed = self.game.over
        return [self.view(), *told]
