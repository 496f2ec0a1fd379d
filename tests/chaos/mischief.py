"""What people do beside the plain moves: second thoughts, mistakes, bumps, and what they forget.

Each of these ends with the table as the people mean it, or with people who do what the display says until it is.
"""

from __future__ import annotations

from collections.abc import Callable

from quarto_pi.referee.menu import Item
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Calling, Clear, Phase, Piece, Player
from quarto_pi.sensing.readings import NEIGHBOURS, OFFER
from tests.chaos.evening import FOREIGN, UIDS, Script
from tests.chaos.people import People
from tests.chaos.thoughts import exchange, put_back, shift, shift_and_call, undo

Prank = Callable[[People], Script]


def before_giving(people: People) -> Script:
    """The maker holds the turn: it may be changed, taken back, or called."""
    yield people.random.uniform(1, 1_000)
    yield from _some(people, (*_LAST_PIECE, *_ANY_TIME, call_by_mistake, place_ungiven))


def after_giving(people: People) -> Script:
    """The next piece lies there to be taken."""
    begins = not people.memory.game.board.count
    yield from _some(people, (*_ANY_TIME, exchange, undo, *[order_new_game] * (8 if begins else 1)))


def before_placing(people: People) -> Script:
    """The receiver thinks, and may call what the other one left."""
    yield people.random.uniform(1, 1_000)
    game = people.memory.game
    if game.open and game.receiver in people.settings.people and people.chance(people.cast.calls / 2):
        if people.agrees_on_hand() and game.options.calling is Calling.BUTTON:
            yield from people.call(game.receiver)
        return
    last = (*_LAST_PIECE, undo) if people.gives_by_placing else (undo,)
    yield from _some(people, (*last, *_ANY_TIME, call_by_mistake, place_wrong, give_early, place_mute))


def after_placing(people: People) -> Script:
    """The piece has rested; somebody bumps into something."""
    yield from _some(people, (bump, look, press_twice))


def _some(people: People, pranks: tuple[Prank, ...]) -> Script:
    while not people.memory.over and people.chance(people.cast.mischief):
        prank = people.random.choice(pranks)
        game = people.memory.game
        turn = game.phase, game.board.count, game.hand
        begin = people.now
        yield from prank(people)
        people.memory.pass_time(people.now)
        if people.now > begin:
            people.evening.counts[f"done {prank.__name__}"] += 1
        game = people.memory.game
        if (game.phase, game.board.count, game.hand) != turn:
            return


# --- mistakes ---------------------------------------------------------------------------------------------------------


def call_by_mistake(people: People) -> Script:
    """Somebody presses, whatever stands there."""
    if not people.settings.people or people.evening.shown.is_question or people.is_being_asked:
        return
    if people.unseen or people.chance(0.6) or people.evening.view.phase is RefereePhase.ATTRACT:
        # A board that invites people takes a press for a guest's language.
        return
    yield from people.mind_clock()
    yield from people.call(people.random.choice(people.settings.people))


def press_twice(people: People) -> Script:
    """Somebody presses, and again at once."""
    if people.gives_by_placing:
        return
    yield from call_by_mistake(people)
    if not people.memory.over and people.settings.people and people.chance(0.3):
        yield people.random.uniform(100, 600)
        yield from people.call(people.random.choice(people.settings.people))


def place_wrong(people: People) -> Script:
    """Another piece than the given one is put down (D6)."""
    yield from _place_stranger(people, gives=people.memory.game.hand is not None)


def place_ungiven(people: People) -> Script:
    """A piece is put on the board that nobody has given."""
    yield from _place_stranger(people, gives=people.senses_giving and people.evening.sees(OFFER))


def _place_stranger(people: People, *, gives: bool) -> Script:
    pieces = [piece for piece in people.memory.game.available if people.evening.cell_of(piece) is None]
    if people.put_away in pieces:
        # What was given before an exchange is withdrawn once the other one has been taken up, and a wrong piece (D12).
        hand = people.memory.game.hand
        is_known = hand is not None and people.evening.cell_of(hand) is None and people.evening.view.hand == hand
        pieces = [people.put_away] if is_known else [piece for piece in pieces if piece != people.put_away]
    if not gives or not pieces or not people.free or (people.memory.is_for_computer and not people.senses_giving):
        return
    piece, square = people.random.choice(pieces), people.random.choice(people.free)
    yield from people.hands.put(piece, square.name)
    if people.chance(0.5):
        yield people.random.uniform(50, 1_500)
        yield from people.hands.lift(piece)
    else:
        yield from people.follow()
    yield 300.0


def give_early(people: People) -> Script:
    """The receiver puts down the next piece to be given, the one in hand still in the air."""
    game = people.memory.game
    hand = game.hand
    pieces = [piece for piece in game.available if people.evening.cell_of(piece) is None]
    if hand is None or not people.senses_giving or not pieces or not people.free:
        return
    if game.receiver not in people.settings.people or people.evening.stands_on(OFFER) not in (None, hand):
        return
    if people.settings.seat(game.receiver.other).is_computer and people.evening.cell_of(hand) is not None:
        return
    piece, square = people.random.choice(pieces), people.random.choice(people.free)
    yield from people.hands.lift(hand)
    yield from people.mind_clock()
    yield from people.hands.put(piece, OFFER)
    yield people.random.uniform(50, 800)
    yield from people.hands.put(hand, square.name)
    people.mean_place(hand, square)
    if not people.memory.over and people.memory.game.phase is Phase.GIVE:
        people.mean_give(piece)
    yield from people.rest()


# --- wandering hands --------------------------------------------------------------------------------------------------


def bump_with_last(people: People) -> Script:
    """A sleeve moves the last piece and others in the same instant: all go back, as the display says (D13)."""
    turn, board = people.memory.game.last_turn, people.memory.game.board
    if turn is None or people.evening.mute or people.unseen or board.count < 2:
        return
    others = [piece for piece in board.pieces.values() if piece != turn.piece]
    taken = set(people.evening.table.resting.values())
    for piece in (turn.piece, *people.random.sample(others, min(len(others), people.random.choice((1, 1, 2))))):
        home = people.evening.cell_of(piece)
        free = [cell for cell in NEIGHBOURS[home] if cell not in taken] if home in NEIGHBOURS else []
        if home is None or not free:
            continue
        cell = people.random.choice(free)
        taken.add(cell)
        people.evening.spawn(people.hands.slide(piece, cell))
        yield people.random.uniform(1, 100)
    yield 800.0
    yield from people.follow()


def tag_dies(people: People) -> Script:
    """The tag of a piece on the board dies: people say that it stands there when they are asked (D15)."""
    board = people.memory.game.board
    if not _may_lose_tag(people) or not board.count:
        return
    piece = people.random.choice(list(board.pieces.values()))
    if people.evening.cell_of(piece) is None:
        return
    people.evening.mute_tag(piece)
    # They go on playing once the board knows of it: what they did meanwhile would be taken afterwards, all at once.
    dead_tags = people.evening.state.dead_tags.pieces
    yield from people.until(
        lambda: people.memory.over or people.evening.state.dead_tags.pieces != dead_tags,
        "the question about a dead tag",
    )
    if not people.memory.over:
        yield from people.follow()


def place_mute(people: People) -> Script:
    """The tag of the piece in hand dies before it is placed: people say where it stands (D15)."""
    game = people.memory.game
    hand = game.hand
    if hand is None or not _may_lose_tag(people) or not people.free or game.board.count == 15:
        return
    if game.receiver not in people.settings.people or game.latch is not None:
        return
    yield from people.follow()
    yield from people.hands.lift(hand)
    people.evening.mute_tag(hand)
    yield people.random.uniform(500, 3_000)
    square = people.random.choice(people.free)
    yield from people.hands.put(hand, square.name)
    people.mean_place(hand, square)
    yield from people.until(people.agrees, "the piece that nobody hears", patience=150_000)


def _may_lose_tag(people: People) -> bool:
    """Whether a tag may die: none has yet, and there are people with time to say where its piece stands."""
    evening = people.evening
    if evening.mute or people.unseen or not people.settings.people or people.chance(0.7):
        return False
    return people.memory.game.options.clock_ms is None and people.memory.game.latch is None


def bump(people: People) -> Script:
    """A sleeve moves a neighbour, which is moved back, at once or when the display says so."""
    if people.evening.mute:
        return
    board = people.memory.game.board
    movable = [
        (piece, neighbour)
        for square, piece in board.pieces.items()
        for neighbour in NEIGHBOURS[square.name]
        if people.evening.stands_on(neighbour) is None and not _is_last(people, piece)
    ]
    if not movable:
        return
    piece, cell = people.random.choice(movable)
    home = people.evening.cell_of(piece)
    if home is None:
        return
    yield from people.hands.slide(piece, cell)
    if people.chance(0.5):
        yield people.random.uniform(50, 1_500)
        yield from people.hands.slide(piece, home)
        yield people.random.uniform(100, 800)
    else:
        yield from people.follow()


def look(people: People) -> Script:
    """Somebody takes a piece up to look at it, and puts it back, perhaps somewhere else at first."""
    if people.evening.mute:
        return
    pieces = [piece for piece in people.memory.game.board.pieces.values() if not _is_last(people, piece)]
    if not pieces:
        return
    piece = people.random.choice(pieces)
    home = people.evening.cell_of(piece)
    if home is None:
        return
    yield from people.hands.lift(piece)
    yield people.random.choice((people.random.uniform(50, 1_000), people.random.uniform(1_000, 5_000)))
    if people.chance(0.7):
        yield from people.hands.put(piece, home)
        yield people.random.uniform(100, 800)
        return
    if people.free and people.chance(0.7):
        yield from people.hands.put(piece, people.random.choice(people.free).name)
    yield from people.follow()


def jostle(people: People, held: Piece) -> Script:
    """While somebody places a piece, somebody else takes another one up for a moment."""
    pieces = [
        piece
        for piece in people.memory.game.board.pieces.values()
        if piece != held and not _is_last(people, piece) and people.evening.cell_of(piece) is not None
    ]
    if not pieces or people.evening.mute:
        return
    piece = people.random.choice(pieces)
    home = people.evening.cell_of(piece)
    assert home is not None
    yield from people.hands.lift(piece)
    yield people.random.uniform(50, 600)
    yield from people.hands.put(piece, home)


def _is_last(people: People, piece: Piece) -> bool:
    turn = people.memory.game.last_turn
    return turn is not None and turn.piece == piece


def leave_something(people: People) -> Script:
    """A card or a telephone lies on the board for a while."""
    if not people.free:
        return
    cell = people.random.choice(people.free).name
    people.evening.table.rest(FOREIGN, cell)
    people.evening.touch()
    people.evening.say("hands", f"something lies on {cell}")
    yield people.random.uniform(100, 6_000)
    people.evening.table.lift(FOREIGN)
    people.evening.touch()
    people.evening.say("hands", f"it is gone from {cell}")
    yield 300.0


def stack(people: People) -> Script:
    """A piece is put on a square where another one stands."""
    pieces = [piece for piece in people.memory.game.available if people.evening.cell_of(piece) is None]
    standing = list(people.memory.game.board.pieces)
    if not pieces or not standing or (people.memory.is_for_computer and not people.senses_giving):
        return
    piece, square = people.random.choice(pieces), people.random.choice(standing)
    people.evening.table.rest(UIDS[piece], square.name)
    people.evening.touch()
    people.evening.say("hands", f"{piece} stands on {square.name} too")
    yield people.random.uniform(100, 6_000)
    people.evening.table.lift(UIDS[piece])
    yield 300.0


def dawdle(people: People) -> Script:
    """Nobody does anything for a while."""
    game = people.memory.game
    left = game.time_left(int(people.now))
    if left is None or left < 0:
        yield people.random.choice((3_000.0, 25_000.0, 90_000.0))
    else:
        yield people.random.choice((2_000.0, left + 5_000.0))


def open_menu(people: People) -> Script:
    """Somebody leans on the button; the menu opens and is left alone."""
    if people.memory.game.open or people.memory.game.options.clock_ms is not None or people.chance(0.7):
        return
    if not people.settings.people or people.memory.game.latch is not None or people.is_being_asked:
        return
    yield from people.fingers.press(people.button_of(people.settings.people[0]), people.random.uniform(3_300, 14_000))
    yield from people.until(lambda: people.evening.shown.prompt != "Menu", "the menu to close")


def clear_board(people: People) -> Script:
    """Everybody has had enough: the board is cleared in mid-game."""
    if (
        not people.chance(0.05)
        or people.evening.mute
        or people.memory.game.board.count < 2
        or people.memory.game.latch is not None
    ):
        return
    people.giving_up = True
    yield from people.clear()
    if people.settings.people and people.chance(0.6):
        yield from people.until(lambda: people.evening.shown.prompt == "BoardCleared", "the question")
        yield people.random.uniform(200, 1_500)
        yield from people.fingers.press(people.button_of(Player.A))
    people.memory.act(Clear(), people.now)


def order_new_game(people: People) -> Script:
    """Somebody at the page orders a new game while the given piece lies there."""
    game, hand = people.memory.game, people.memory.game.hand
    if (
        not people.settings.people
        or people.evening.mute
        or game.latch is not None
        or people.chance(0.3 if not game.board.count else 0.9)
    ):
        return
    if hand is None or people.evening.cell_of(hand) != OFFER or people.is_being_asked:
        return
    if not game.board.count and len(people.settings.people) < 2:
        # The computer would begin at once.
        return
    yield from people.follow()
    if people.memory.over or people.memory.game.hand != hand or people.evening.stands_on(OFFER) != hand:
        return
    people.evening.order(Item.NEW_GAME)
    people.giving_up = True
    people.gives_again = hand if not game.board.count else None
    people.memory.act(Clear(), people.now)
    yield people.random.uniform(1, 1_000)


_LAST_PIECE: tuple[Prank, ...] = (shift, shift, put_back, shift_and_call, undo, bump_with_last)
_ANY_TIME: tuple[Prank, ...] = (
    bump,
    bump,
    look,
    look,
    leave_something,
    stack,
    dawdle,
    open_menu,
    clear_board,
    tag_dies,
)
