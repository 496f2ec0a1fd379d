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
            you = t.gettext("You call QUARTO! Now place your piece and show it.")
            return voice.tell(player, you, t.gettext("%(player)s calls QUARTO! Now place the piece and show it."))
        case FalseCall():
            return _of_false_call(message, voice)
        case WhoCalled(player=player, sure=False):
            form = t.gettext("Who called? %(player)s: press once. %(other)s: press twice. Nobody: just wait.")
            return form % {"player": voice.name(player), "other": voice.name(player.other)}
        case WhoCalled(player=player):
            you = t.gettext("Did you call? Then just wait. If not, press the button.")
            named = t.gettext("Did %(player)s call? Then just wait. If not, press the button.")
            return you if voice.is_you(player) else named % {"player": voice.name(player)}
        case NobodyCalled():
            return t.gettext("Nobody says who called, so it does not count. The game goes on.")
        case NobodyCalls():
            return t.gettext("Nobody has to call in this game: the board sees every Quarto by itself.")
        case MissedAlignment(alignments=alignments):
            return _of_missed(alignments, voice)
        case LookClosely(player=player):
            you = t.gettext("Look closely! There is a Quarto to call.")
            return voice.tell(player, you, t.gettext("%(player)s: look closely! There is a Quarto to call."))
    assert_never(message)


def call_headline(message: CallMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message:
        case CallWaits():
            return t.pgettext("headline", "Show it!")
        case FalseCall():
            return t.pgettext("headline", "False call")
        case WhoCalled():
            return t.pgettext("headline", "Who called?")
        case NobodyCalled():
            return t.pgettext("headline", "Nobody called")
        case NobodyCalls():
            return t.pgettext("headline", "No calling")
        case MissedAlignment():
            return t.pgettext("headline", "Missed!")
        case LookClosely():
            return t.pgettext("headline", "Look closely!")
    assert_never(message)


def _of_false_call(message: FalseCall, voice: Voice) -> str:
    t, player = voice.translations, message.player
    match message.why:
        case NoQuarto.NOTHING_THERE:
            you = t.gettext("There is no Quarto: your call does not count.")
            return voice.tell(player, you, t.gettext("%(player)s: there is no Quarto. This call does not count."))
        case NoQuarto.LAPSED:
            you = t.gettext("There is no new Quarto: what was missed does not count any more.")
            named = t.gettext("%(player)s: there is no new Quarto. What was missed does not count any more.")
            return voice.tell(player, you, named)
        case NoQuarto.OTHERS_MOMENT:
            you = t.gettext("Your call does not count: now only the computer may call.")
            named = t.gettext("%(player)s: this call does not count. Now only %(other)s may call.")
            return voice.tell(player, you, named, other=voice.name(player.other))
    assert_never(message.why)


def _of_missed(alignments: tuple[Alignment, ...], voice: Voice) -> str:
    t = voice.translations
    if len(alignments) == 1:
        form = t.gettext("Missed! %(alignment)s. Nobody called: it no longer counts.")
        return form % {"alignment": alignment(t, alignments[0])}
    form = t.ngettext(
        "%(count)d alignment missed! Nobody called: it no longer counts.",
        "%(count)d alignments missed! Nobody called: they no longer count.",
        len(alignments),
    )
    return form % {"count": len(alignments)}
