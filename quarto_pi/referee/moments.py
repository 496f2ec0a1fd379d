"""What is known of which moment: nothing is carried out while something older is in doubt."""

from __future__ import annotations

from quarto_pi.referee import presses
from quarto_pi.referee.corrections import wrongs_on
from quarto_pi.referee.deadlines import NEVER, doubt_ends_at
from quarto_pi.referee.facts import Fact, facts_on
from quarto_pi.referee.inputs import Press, Use
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.state import State
from quarto_pi.rules import Phase, Shift
from quarto_pi.sensing.board import Doubt
from quarto_pi.sensing.readings import OFFER


def has_to_wait(state: State, press: Press, now: int) -> bool:
    """Whether it is not known yet how the table was when a button was pressed."""
    if not state.is_under_way:
        return False
    # Where a press falls between two looks at a square, it counts as the earlier: its moment is the surer one.
    if state.looked_at < press.at:
        return True
    for doubt in state.table.doubts:
        # A piece that is taken up is missed a little later than hands have taken it.
        late = 0 if doubt.arriving else state.patience.lifting
        if _matters(state, doubt, now) and doubt.since <= press.at + late:
            return True
    return presses.waits_for_piece(state, press, now)


def _matters(state: State, doubt: Doubt, now: int) -> bool:
    """Whether a doubt is young enough to be waited for, and about something that may change the game."""
    if now >= doubt_ends_at(state, doubt):
        return False
    turn = state.shiftable
    return doubt.arriving or (turn is not None and doubt.piece == turn.piece)


def is_in_doubt(state: State, fact: Fact, now: int) -> bool:
    """Whether something may have happened before this that is not believed yet, or its piece may be gone again."""
    young = (doubt for doubt in state.table.doubts if now < doubt_ends_at(state, doubt))
    return any(
        doubt.since < fact.at if doubt.arriving and doubt.piece != fact.piece else _unsettles(state, doubt, fact)
        for doubt in young
    )


def _unsettles(state: State, doubt: Doubt, fact: Fact) -> bool:
    """Whether a piece that may have left its cell would make something else of a fact."""
    if doubt.arriving:
        return False
    if doubt.piece == fact.piece:
        return True
    if doubt.cell == OFFER:
        # What was taken up from the give place before this was given by that (D12).
        return state.game.phase is Phase.PLACE and doubt.since < fact.at
    # Where another piece slides at the same time, a moved piece is a bumped one (D13).
    return isinstance(fact.actions[0], Shift)


def reached(state: State, now: int) -> int:
    """The moment up to which everything is known: the game's time goes no further."""
    return min(now, limit_at(state, now))


def limit_at(state: State, now: int) -> int:
    """The moment of the oldest thing that is not decided by now; what comes later waits for it."""
    if not state.is_under_way:
        return NEVER
    moments: list[int] = [NEVER]
    moments += [fact.at for fact in facts_on(state, state.difference) if fact.blocks]
    moments += [doubt.since for doubt in state.table.doubts if _matters(state, doubt, now)]
    moments += [press.at for press in state.presses if press.use is Use.OPEN]
    if state.call is not None:
        moments.append(state.call.at)
    return min(moments)


def is_unsettled(state: State) -> bool:
    """Whether something is on its way: then the game's time goes on with every look.

    On a board at rest it stands until something happens, so that what hands do next counts from when they did it.
    """
    if state.presses or state.call or state.table.doubts or state.clearing.since is not None or state.mismatch:
        return True
    difference = state.difference
    in_play = state.is_under_way or state.phase is RefereePhase.CHOOSE
    return in_play and bool(difference.missing or difference.extra or wrongs_on(state, difference))
