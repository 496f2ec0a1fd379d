"""How a game ended."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import Abandoned, Drawn, FalseCall, Forfeited, Foul, NoQuarto, PlayAgain, Won
from quarto_pi.rules import Alignment, Player
from quarto_pi.words.calls import say_call
from quarto_pi.words.people import Voice
from quarto_pi.words.terms import alignment

EndingMessage = Won | Forfeited | Drawn | Abandoned | PlayAgain


def say_ending(ending: EndingMessage, voice: Voice) -> str:
    """Who won, and by what."""
    t = voice.translations
    match ending:
        case Won(winner=winner, alignments=alignments, called=called):
            return _of_win(winner, alignments, called, voice)
        case Forfeited():
            return _of_forfeit(ending, voice)
        case Drawn(missed=missed):
            draw = t.gettext("It's a draw: all the pieces are on the board.")
            if not missed:
                return draw
            form = t.ngettext("%(count)d Quarto was missed.", "%(count)d Quartos were missed.", len(missed))
            return voice.sentences(draw, form % {"count": len(missed)})
        case Abandoned():
            return t.gettext("This game wasn't finished. Clear the board for a new one.")
        case PlayAgain():
            return _of_next(ending, voice)
    assert_never(ending)


def ending_headline(ending: EndingMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match ending:
        case Won(winner=winner):
            return t.pgettext("headline", "You win!") if voice.is_you(winner) else t.pgettext("headline", "QUARTO!")
        case Forfeited(foul=foul):
            false_call, late = t.pgettext("headline", "Doesn't count"), t.pgettext("headline", "Time is up!")
            return false_call if foul is Foul.FALSE_CALL else late
        case Drawn():
            return t.pgettext("headline", "A draw")
        case Abandoned():
            return t.pgettext("headline", "Not finished")
        case PlayAgain(score=(first, second)):
            return t.pgettext("headline", "Again? %(first)d:%(second)d") % {"first": first, "second": second}
    assert_never(ending)


def _of_win(winner: Player, alignments: tuple[Alignment, ...], called: bool, voice: Voice) -> str:
    t = voice.translations
    if called:
        won = voice.tell(winner, t.gettext("QUARTO! You win!"), t.gettext("QUARTO! %(player)s wins!"))
    else:
        won = voice.tell(winner, t.gettext("You win!"), t.gettext("%(player)s wins!"))
    if not alignments:
        return won
    if len(alignments) == 1:
        form = t.pgettext("a sentence of its own", "%(alignment)s.")
        return voice.sentences(won, form % {"alignment": alignment(t, alignments[0])})
    form = t.ngettext("%(count)d Quarto in one move!", "%(count)d Quartos in one move!", len(alignments))
    return voice.sentences(won, form % {"count": len(alignments)})


def _of_next(ending: PlayAgain, voice: Voice) -> str:
    """What they have won so far, and how the next game begins."""
    t = voice.translations
    first, second = ending.score
    score = t.gettext("Score: %(first)d to %(second)d.") % {"first": first, "second": second}
    if ending.starter is None:
        return voice.sentences(score, t.gettext("Clear the board for the next game."))
    you = t.gettext("Clear the board. You begin the next game.")
    begins = voice.tell(ending.starter, you, t.gettext("Clear the board. %(player)s begins the next game."))
    text = voice.sentences(score, begins)
    return voice.sentences(text, t.gettext("The other one? Press the button.")) if ending.asks else text


def _of_forfeit(ending: Forfeited, voice: Voice) -> str:
    t, loser = voice.translations, ending.loser
    match ending.foul:
        case Foul.FALSE_CALL:
            lost = voice.tell(loser, t.gettext("You lose this game."), t.gettext("%(player)s loses this game."))
            why = say_call(FalseCall(loser, ending.why), voice)
            if ending.why is NoQuarto.LAPSED:
                # Who it was is said by what follows, and there is no room for it twice.
                why = t.gettext("There's no new Quarto: what was missed doesn't count any more.")
            return voice.sentences(why, lost)
        case Foul.TIME:
            you = t.gettext("Your time is up. You lose this game.")
            return voice.tell(loser, you, t.gettext("Time is up. %(player)s loses this game."))
    assert_never(ending.foul)
