"""Second thoughts: pieces are shifted, put back, exchanged, taken back, and held here and there."""

from __future__ import annotations

from quarto_pi.rules import Calling, Phase, Piece, Player, Shift, Square, Undo
from quarto_pi.sensing.readings import OFFER
from tests.chaos.evening import Script
from tests.chaos.people import People

TAKEN_BACK = "The move is undone."
"""What the display says then."""


def _last(people: People) -> tuple[Piece, Square] | None:
    """The last piece, if its player is a person who may still move it."""
    game = people.memory.game
    turn = game.last_turn
    if turn is None or game.phase is not Phase.GIVE or game.fixed or turn.player not in people.settings.people:
        return None
    if people.evening.mute:
        # Nobody would notice where a piece goes that nobody hears.
        return None
    return (turn.piece, turn.square) if people.evening.cell_of(turn.piece) == turn.square.name else None


def shift(people: People) -> Script:
    """The last piece goes to another square (D5), pushed, or lifted and thought about."""
    last = _last(people)
    if last is None or not people.free:
        return
    piece, square = last[0], people.random.choice(people.free)
    if people.chance(0.4):
        yield from people.hands.slide(piece, square.name)
    else:
        yield from people.hands.lift(piece)
        yield people.random.choice((people.random.uniform(50, 1_000), people.random.uniform(1_000, 6_000)))
        yield from people.hands.put(piece, square.name)
    people.memory.act(Shift(square), people.now)
    # Whatever is touched sooner may have been moved with it (D13).
    yield people.random.uniform(1_400, 2_500)


def shift_and_call(people: People) -> Script:
    """The player calls with the last piece in the air: what counts is where it comes to rest."""
    last = _last(people)
    game = people.memory.game
    if last is None or game.options.calling is Calling.AUTO or people.unseen or not people.free:
        return
    if people.is_caller_asked or people.is_being_asked:
        return
    piece, square = last[0], people.random.choice((*people.free, last[1]))
    yield from people.hands.lift(piece)
    people.evening.spawn(_press_soon(people))
    yield people.random.uniform(750, 1_500)
    yield from people.hands.put(piece, square.name)
    if square != last[1]:
        people.memory.act(Shift(square), people.now)
    people.mean_call(game.last_turn.player if game.last_turn else Player.A)
    yield from people.rest()


def _press_soon(people: People) -> Script:
    turn = people.memory.game.last_turn
    assert turn is not None
    yield people.random.uniform(500, 700)
    yield from people.fingers.press(people.button_of(turn.player))


def put_back(people: People) -> Script:
    """The last piece is lifted, and comes back to where it was."""
    last = _last(people)
    if last is None:
        return
    yield from people.hands.lift(last[0])
    yield people.random.choice((people.random.uniform(50, 800), people.random.uniform(800, 5_000)))
    yield from people.hands.put(last[0], last[1].name)
    yield from people.rest()


def undo(people: People) -> Script:
    """The players agree to take the last placement back."""
    game = people.memory.game
    turn, hand = game.last_turn, game.hand
    if not people.settings.undo or turn is None or not people.settings.people or people.chance(0.5):
        return
    if people.evening.mute:
        return
    yield from people.follow()
    if people.memory.over or people.memory.game.last_turn != turn or people.memory.game.hand != hand:
        return
    if hand is not None and (people.evening.cell_of(hand) != OFFER or people.chance(0.5)):
        yield from people.hands.lift(hand)
    yield from people.hands.lift(turn.piece)
    hasty = hand is None and _last_maker(people) is turn.player and not people.gives_by_placing and people.chance(0.4)
    if hasty:
        # They press before anybody asks, and once more when the display does.
        yield people.random.uniform(100, 400)
        pressed_at = people.now
        yield from people.fingers.press(people.button_of(turn.player), people.random.uniform(40, 200))
        yield 700.0
        if people.evening.shown.text.startswith(TAKEN_BACK):
            # The piece had been off its square for long: that was enough.
            people.memory.act(Undo(), pressed_at)
            people.memory.left_over = people.evening.stands_on(OFFER)
            yield people.random.uniform(500, 2_000)
            return
    yield from people.until(lambda: people.memory.over or _offers_undo(people), "the offer to take it back")
    if people.memory.over:
        return
    yield people.random.uniform(400 if hasty else 200, 1_000)
    people.memory.act(Undo(), people.now)
    people.memory.left_over = people.evening.stands_on(OFFER)
    yield from people.fingers.press(people.button_of(people.settings.people[0]))
    yield people.random.uniform(500, 2_000)


def _last_maker(people: People) -> Player | None:
    """Who may still move the last piece, if anybody."""
    game = people.memory.game
    turn = game.last_turn
    if turn is None or game.phase is not Phase.GIVE or game.fixed or game.options.calling is Calling.AUTO:
        return None
    return turn.player if turn.player in people.settings.people else None


def _offers_undo(people: People) -> bool:
    """Whether the offer to take it back is fresh: other questions may take turns with it."""
    evening = people.evening
    return evening.shown.prompt == "TakeItBack" and evening.now - evening.display.since < 2_000


def exchange(people: People) -> Script:
    """The giver takes another piece instead."""
    game = people.memory.game
    hand = game.hand
    pieces = [piece for piece in game.available if people.evening.cell_of(piece) is None]
    if hand is None or not pieces or people.memory.is_by_computer:
        return
    cell = people.evening.cell_of(hand)
    if cell is None or cell in people.unseen:
        return
    piece = people.random.choice(pieces)
    yield from people.hands.lift(hand)
    yield people.random.uniform(50, 1_500)
    yield from people.hands.put(piece, cell)
    people.mean_give(piece)
    people.put_away = hand
    if cell != OFFER or people.memory.is_for_computer or people.chance(0.5):
        yield from people.rest()
        return
    # The receiver takes it up before it has lain there for long: from then on it is the given piece (D12).
    yield people.random.uniform(1_900, 2_800)
    yield from people.hands.lift(piece)
    quick = 3_000.0 if not people.cast.faults else 40_000.0
    yield from people.until(lambda: people.memory.over or people.evening.view.hand == piece, "its name", quick)


def wander(people: People) -> Script:
    """The piece is held over several squares, or set down for an instant, before its player decides."""
    hand = people.memory.game.hand
    if hand is None:
        return
    yield from people.hands.lift(hand)
    free = people.free
    for square in people.random.sample(free, min(len(free), people.random.randint(1, 4))):
        if people.chance(0.3):
            yield from people.hands.put(hand, square.name)
            yield people.random.uniform(20, 250)
            yield from people.hands.lift(hand)
        else:
            yield from people.hands.hold(hand, square.name, people.random.uniform(50, 350))
