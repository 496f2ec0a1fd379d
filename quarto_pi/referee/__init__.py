"""The referee: from what hands do on the table to what the game is, and back to people.

Pure: a state and an input give the next state and the effects that are to be carried out. docs/referee.md tells how it
judges, and shows its phases.

    phases, state, inputs, effects   the vocabulary of the fold; what fingers do is one of the inputs
    stages                           what goes on beside the phases
    referee, step                    the fold itself
    deadlines, moments               what falls due by itself, and when
    resuming                         going on after the plug was pulled
    settings, all_settings           how it is played; the table of all settings, and where each is written down
    touches                          what hands are about to do, seen before it counts
    table, facts                     what stands where, and what that says was done; what is left of the game before
    presses, menu, choices           what fingers mean
    lesson, teaching                 a lesson with the guest's own hands
    between_boards, remote_game      a game with another board
    clearing, between_games          from one game to the next; a board that nobody touches
    corrections                      where table and game differ, and what the board has to ask
    messages, prompts, view          what people are told, without a word of any language, and the lamps
    tally                            how many games each has won; how well a person plays, for a level that follows
"""

from quarto_pi.referee.effects import (
    Abandon,
    Ask,
    Begin,
    Continue,
    Effect,
    EnrolPieces,
    Keep,
    Light,
    Save,
    Show,
    ShutDown,
    Speak,
    Tell,
)
from quarto_pi.referee.inputs import (
    Answer,
    Button,
    ButtonName,
    Choose,
    Closed,
    Doors,
    Glimpsed,
    Hampered,
    Input,
    LookedBack,
    Order,
    Plan,
    Seen,
    Stored,
)
from quarto_pi.referee.referee import fold, start
from quarto_pi.referee.resuming import Before, Interrupted
from quarto_pi.referee.settings import PERSON, Patience, Seat, Settings, Starter
from quarto_pi.referee.state import State
from quarto_pi.referee.tally import Against, Tally
from quarto_pi.referee.view import View

__all__ = [
    "PERSON",
    "Abandon",
    "Against",
    "Answer",
    "Ask",
    "Before",
    "Begin",
    "Button",
    "ButtonName",
    "Choose",
    "Closed",
    "Continue",
    "Doors",
    "Effect",
    "EnrolPieces",
    "Glimpsed",
    "Hampered",
    "Input",
    "Interrupted",
    "Keep",
    "Light",
    "LookedBack",
    "Order",
    "Patience",
    "Plan",
    "Save",
    "Seat",
    "Seen",
    "Settings",
    "Show",
    "ShutDown",
    "Speak",
    "Starter",
    "State",
    "Stored",
    "Tally",
    "Tell",
    "View",
    "fold",
    "start",
]
