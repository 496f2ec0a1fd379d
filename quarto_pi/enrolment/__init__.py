"""The guide that makes the board know its pieces: language, check, enrol, play.

Pure: a state and an input give the next state and the effects that are to be carried out. docs/enrolment.md tells what
it asks for, what it believes, and why.

    state           the vocabulary of the fold, and the messages; which pieces have a tag already
    guide           the fold itself, and what people see
    judging         which tag lies where, by vote; what a finger says
"""

from quarto_pi.enrolment.guide import fold_guide as fold_guide
from quarto_pi.enrolment.guide import start_guide as start_guide
from quarto_pi.enrolment.judging import Gesture as Gesture
from quarto_pi.enrolment.state import Gestured as Gestured
from quarto_pi.enrolment.state import GuideEffect as GuideEffect
from quarto_pi.enrolment.state import GuideInput as GuideInput
from quarto_pi.enrolment.state import GuideState as GuideState
from quarto_pi.enrolment.state import GuideView as GuideView
from quarto_pi.enrolment.state import ShowGuide as ShowGuide
from quarto_pi.enrolment.state import SpeakGuide as SpeakGuide
from quarto_pi.enrolment.state import Store as Store
from quarto_pi.enrolment.state import TagsStored as TagsStored
from quarto_pi.enrolment.state import Task as Task
