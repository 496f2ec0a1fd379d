"""The guide that makes the board know its pieces: language, check, enrol, play.

Pure: a state and an input give the next state and the effects that are to be carried out. docs/enrolment.md tells what
it asks for, what it believes, and why.

    state, messages   the vocabulary of the fold; which pieces have a tag already
    guide, asking     the fold itself, and what people see
    judging           which tag lies where, by vote; what a finger says
"""

from quarto_pi.enrolment.guide import fold as fold
from quarto_pi.enrolment.guide import start as start
from quarto_pi.enrolment.judging import Gesture as Gesture
from quarto_pi.enrolment.state import Effect as Effect
from quarto_pi.enrolment.state import GuideView as GuideView
from quarto_pi.enrolment.state import Input as Input
from quarto_pi.enrolment.state import Moved as Moved
from quarto_pi.enrolment.state import ShowGuide as ShowGuide
from quarto_pi.enrolment.state import SpeakGuide as SpeakGuide
from quarto_pi.enrolment.state import State as State
from quarto_pi.enrolment.state import Store as Store
from quarto_pi.enrolment.state import Stored as Stored
from quarto_pi.enrolment.state import Task as Task
