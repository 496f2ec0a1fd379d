"""How a game ends: calls, the alignments that were missed, and who has won."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import (
    Abandoned,
    CallWaits,
    Drawn,
    FalseCall,
    Forfeited,
    Foul,
    LookClosely,
    MissedAlignment,
    NobodyCalled,
    NobodyCalls,
    NoQuarto,
    PlayAgain,
    WhoCalled,
    Won,
)
from quarto_pi.rules import Alignment, Player
from quarto_pi.words.terms import Voice, alignment

# --- Calls, and the alignments that were missed -----------------------------------------------------------------------

CallMessage = CallWaits | FalseCall | WhoCalled | NobodyCalled | NobodyCalls | MissedAlignment | LookClosely


def say_call(message: CallMessage, voice: Voice) -> str:
    """What became of a call, or of an alignment that nobody called."""
    t = voice.translations
    match message:
        case CallWaits(player=player):
            you = t.gettext("You called QUARTO! Now place your piece and show us.")
            return voice.tell(player, you, t.gettext("%(player)s called QUARTO! Now place the piece and show us."))
        case FalseCall():
            return _of_false_call(message, voice)
        case WhoCalled(player=player, sure=False):
            form = t.gettext("Who called? %(player)s: press once. %(other)s: press twice. Nobody: just wait.")
            return form % {"player": voice.name(player), "other": voice.name(player.other)}
        case WhoCalled(player=player):
            you = t.gettext("Did you call? Then just wait. If you didn't, press the button.")
            form = t.gettext("Was it %(player)s who called? Then just wait. Was it the other player? Press the button.")
            return you if voice.is_you(player) else form % {"player": voice.name(player)}
        case NobodyCalled():
            return t.gettext("Nobody says who called, so it doesn't count. Play on!")
        case NobodyCalls():
            return t.gettext("No need to call: in this game the board spots every Quarto itself.")
        case MissedAlignment(alignments=alignments):
            return _of_missed(alignments, voice)
        case LookClosely(player=player):
            you = t.gettext("Look closely! There's a Quarto on the board.")
            return voice.tell(player, you, t.gettext("%(player)s: look closely! There's a Quarto on the board."))
    assert_never(message)


def call_headline(message: CallMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message:
        case CallWaits():
            return t.pgettext("headline", "Show it!")
        case FalseCall():
            return t.pgettext("headline", "Doesn't count")
        case WhoCalled():
            return t.pgettext("headline", "Who called?")
        case NobodyCalled():
            return t.pgettext("headline", "Nobody called")
        case NobodyCalls():
            return t.pgettext("headline", "No need to call")
        case MissedAlignment():
            return t.pgettext("headline", "Missed!")
        case LookClosely():
            return t.pgettext("headline", "Look closely!")
    assert_never(message)


def _of_false_call(message: FalseCall, voice: Voice) -> str:
    t, player = voice.translations, message.player
    match message.why:
        case NoQuarto.NOTHING_THERE:
            you = t.gettext("There's no Quarto: your QUARTO doesn't count.")
            return voice.tell(player, you, t.gettext("%(player)s: there's no Quarto. That QUARTO doesn't count."))
        case NoQuarto.LAPSED:
            you = t.gettext("There's no new Quarto: what was missed doesn't count any more.")
            named = t.gettext("%(player)s: there's no new Quarto. What was missed doesn't count any more.")
            return voice.tell(player, you, named)
        case NoQuarto.OTHERS_MOMENT:
            you = t.gettext("Your QUARTO doesn't count: now only the computer may call.")
            if voice.is_board(player.other):
                you = t.gettext("Your QUARTO doesn't count: now only the other board may call.")
            named = t.gettext("%(player)s: that QUARTO doesn't count. Now only %(other)s may call.")
            return voice.tell(player, you, named, other=voice.name(player.other))
    assert_never(message.why)


def _of_missed(alignments: tuple[Alignment, ...], voice: Voice) -> str:
    t = voice.translations
    if len(alignments) == 1:
        form = t.gettext("Missed! %(alignment)s. Nobody called in time, so it no longer counts.")
        return form % {"alignment": alignment(t, alignments[0])}
    form = t.ngettext(
        "%(count)d Quarto missed! Nobody called in time, so it no longer counts.",
        "%(count)d Quartos missed! Nobody called in time, so they no longer count.",
        len(alignments),
    )
    return form % {"count": len(alignments)}


# --- How a game ended -------------------------------------------------------------------------------------------------

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
