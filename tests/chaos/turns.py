"""How a game goes: giving, placing, calling, carrying out, to the end."""

from __future__ import annotations

from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.settings import Starter
from quarto_pi.rules import Calling, Clear, Phase, Piece, Player, Square
from quarto_pi.sensing.readings import OFFER
from tests.chaos.evening import Misjudged, Script
from tests.chaos.memory import Memory
from tests.chaos.mischief import after_giving, after_placing, before_giving, before_placing, jostle
from tests.chaos.people import People
from tests.chaos.thoughts import wander


def play(people: People, number: int) -> Script:
    """Play a game from the empty board to its end."""
    evening = people.evening
    if not people.goes_on_at_once:
        yield from people.until(lambda: evening.view.phase is RefereePhase.CHOOSE, "a new game")
    people.giving_up = False
    starter = {Starter.A: Player.A, Starter.B: Player.B}.get(people.settings.starter, Player(number % 2))
    people.memory = evening.memory = Memory(people.settings, starter, evening.ms)
    if people.memory.is_by_computer:
        evening.meet_computer()
    if people.goes_on_at_once:
        # They give the first piece while the board is still being cleared, or over what they have left there (D16).
        people.goes_on_at_once = False
        first, people.gives_again = people.gives_again or choose_piece(people), None
        yield from give(people, first)
        yield from people.follow()
    while not people.memory.over:
        people.memory.pass_time(people.now)
        yield from _turn(people)
        if not people.memory.over and people.chance(people.cast.attention):
            yield from people.follow()
    yield from people.until(people.agrees, "the end of the game")


def _turn(people: People) -> Script:
    memory = people.memory
    game = memory.game
    if memory.over:
        return
    if game.phase is Phase.FINAL_CALL:
        yield from _end(people)
    elif game.phase is Phase.PLACE and memory.is_for_computer:
        yield from _carry_out(people)
    elif game.phase is Phase.PLACE or people.gives_by_placing:
        yield from _place(people)
    elif memory.is_by_computer:
        yield from people.until(
            lambda: memory.over or memory.game.hand is not None, "the computer's give", patience=20_000
        )
    else:
        yield from _give(people)


def _turn_of(people: People) -> tuple[object, ...]:
    """What tells one turn from another."""
    game = people.memory.game
    return game.phase, game.board.count, game.hand


def _give(people: People) -> Script:
    """The player whose turn it is gives a piece."""
    turn = _turn_of(people)
    yield from before_giving(people)
    if _turn_of(people) != turn:
        return
    piece = choose_piece(people)
    yield from people.mind_clock()
    if people.memory.over or people.gives_by_placing:
        # The give place has died meanwhile: who gives what is not seen any more.
        return
    yield from give(people, piece)
    yield from people.rest()
    yield from after_giving(people)


def give(people: People, piece: Piece) -> Script:
    """Put a piece where it counts as given."""
    yield from people.until(lambda: people.senses_giving or bool(people.free), "a place to give")
    cell = OFFER if people.senses_giving else people.random.choice(people.free).name
    lying = people.evening.stands_on(cell)
    if lying is not None:
        yield from people.hands.lift(lying)
        # What comes back soon has never been away: then the display asks for it to be taken off.
        yield people.random.uniform(50, 2_500) if lying == piece else 300.0
    yield from people.hands.carry(piece, cell)
    people.mean_give(piece)
    if lying == piece:
        yield from people.follow()


def choose_piece(people: People) -> Piece:
    """A piece to give: people who are careful give none that wins."""
    pieces = [piece for piece in people.memory.game.available if people.evening.cell_of(piece) in (None, OFFER)]
    free = people.memory.game.board.empty_squares
    harmless = [piece for piece in pieces if not any(people.aligns(piece, square) for square in free)]
    return people.random.choice(harmless if harmless and not people.chance(people.cast.eager) else pieces)


def choose_square(people: People, piece: Piece) -> Square:
    """A square to place a piece on: the eager take one that completes a line."""
    free = people.free
    winning = [square for square in free if people.aligns(piece, square)]
    others = [square for square in free if square not in winning]
    if winning and (not others or people.chance(people.cast.eager)):
        return people.random.choice(winning)
    return people.random.choice(others)


def _place(people: People) -> Script:
    """The receiver calls, or places the piece."""
    memory, turn = people.memory, _turn_of(people)
    if memory.game.hand is not None and memory.is_by_computer:
        # What the computer gives is known from the display.
        yield from people.until(lambda: memory.over or people.agrees(), "the piece to be named")
    yield from before_placing(people)
    if _turn_of(people) != turn:
        return
    piece = memory.game.hand or choose_piece(people)
    if memory.game.hand is not None and people.chance(people.cast.mischief / 2):
        yield from wander(people)
    yield from people.until(lambda: bool(people.free), "a square on which something is seen")
    square = choose_square(people, piece)
    if people.aligns(piece, square) and _calls(people, people.cast.calls * 0.3) and people.agrees_on_hand():
        yield from people.call(memory.game.receiver)
        if memory.over:
            return
        yield people.random.uniform(1, 2_000)
    yield from people.mind_clock()
    if memory.over:
        return
    if people.chance(people.cast.mischief / 3):
        people.evening.spawn(jostle(people, piece))
    yield from people.hands.carry(piece, square.name)
    people.mean_place(piece, square)
    yield from _call_after(people)
    yield from people.rest()
    if not memory.over and not all(people.evening.sees(cell) for cell in (square.name, OFFER)):
        # Who places where nobody sees waits for the display.
        yield from people.follow()
    yield from after_placing(people)


def _call_after(people: People) -> Script:
    """Somebody may see the alignment."""
    memory = people.memory
    if not memory.over and memory.game.open and _calls(people, people.cast.calls):
        # What happens within two sweeps may be heard in either order.
        yield people.random.choice((350.0, people.random.uniform(350, 3_000)))
        maker = memory.game.maker
        caller = maker if maker in people.settings.people else None
        if people.gives_by_placing and maker is not None and people.chance(0.4):
            caller = maker.other
        if caller is not None and people.agrees_on_hand():
            yield from people.call(caller, _how_long(people, caller))


def _how_long(people: People, caller: Player) -> float | None:
    """How long the button is held: whoever wins may lean on it."""
    draw = people.random
    if people.memory.game.open_for(caller) and not people.is_caller_asked and draw.random() < 0.1:
        return draw.uniform(3_000, 12_000)
    return draw.uniform(450, 2_700) if draw.random() < 0.2 else None


def _calls(people: People, probability: float) -> bool:
    return people.memory.game.options.calling is Calling.BUTTON and people.chance(probability)


def _carry_out(people: People) -> Script:
    """Hands do for the computer what the display says."""
    memory, evening = people.memory, people.evening
    hand = memory.game.hand
    assert hand is not None
    yield from people.until(lambda: memory.over or memory.game.hand != hand or memory.plan is not None, "its plan")
    plan = memory.plan
    if memory.over or memory.game.hand != hand or plan is None or plan.square is None:
        return
    yield from people.until(lambda: evening.shown.prompt == "CarryOut", "what to carry out")
    shown = evening.shown
    if (shown.prompt, shown.piece, shown.squares[0]) != ("CarryOut", hand, plan.square.name):
        raise Misjudged(f"the display does not say what the computer means: {shown} instead of {plan}")
    yield people.random.uniform(200, 1_500)
    if evening.cell_of(hand) != plan.square.name:
        yield from people.hands.carry(hand, plan.square.name)
    memory.carry_out(plan, people.now)
    yield from people.rest()


def _end(people: People) -> Script:
    """All sixteen stand: somebody may still call, or the board is cleared."""
    memory = people.memory
    yield people.random.uniform(500, 2_500)
    if memory.game.open and people.settings.people and people.chance(0.6):
        yield from people.call(people.random.choice(people.settings.people))
    elif people.chance(0.3):
        yield from people.clear()
        memory.act(Clear(), people.now)
    else:
        yield from people.until(lambda: memory.over, "the end of the last call")
