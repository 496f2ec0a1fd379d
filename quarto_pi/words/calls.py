"""Calls, and the alignments that were missed."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import (
    CallWaits,
    FalseCall,
    LookClosely,
    MissedAlignment,
    NobodyCalled,
    NobodyCalls,
    NoQuarto,
    WhoCalled,
)
from quarto_pi.rules import Alignment
from quarto_pi.words.people import Voice
from quarto_pi.words.terms import alignment

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
