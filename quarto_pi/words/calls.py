"""Calls, and the alignments that were missed."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import CallWaits, FalseCall, LookClosely, MissedAlignment, NobodyCalls, WhoCalled
from quarto_pi.rules import Alignment
from quarto_pi.words.people import Voice
from quarto_pi.words.terms import alignment

CallMessage = CallWaits | FalseCall | WhoCalled | NobodyCalls | MissedAlignment | LookClosely


def say(message: CallMessage, voice: Voice) -> str:
    """What became of a call, or of an alignment that nobody called."""
    t = voice.translations
    match message:
        case CallWaits(player=player):
            you = t.gettext("You call QUARTO! Now place your piece and show it.")
            return voice.tell(player, you, t.gettext("%(player)s calls QUARTO! Now place the piece and show it."))
        case FalseCall(player=player):
            you = t.gettext("Your call does not count. The game goes on.")
            return voice.tell(player, you, t.gettext("%(player)s: this call does not count. The game goes on."))
        case WhoCalled(player=player):
            you = t.gettext("Did you call? Then just wait. If not, press the button.")
            named = t.gettext("Did %(player)s call? Then just wait. If not, press the button.")
            return you if voice.is_you(player) else named % {"player": voice.name(player)}
        case NobodyCalls():
            return t.gettext("Nobody has to call in this game: the board sees every Quarto by itself.")
        case MissedAlignment(alignments=alignments):
            return _of_missed(alignments, voice)
        case LookClosely(player=player):
            you = t.gettext("Look closely! There is a Quarto to call.")
            return voice.tell(player, you, t.gettext("%(player)s: look closely! There is a Quarto to call."))
    assert_never(message)


def headline(message: CallMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message:
        case CallWaits():
            return t.pgettext("headline", "Show it!")
        case FalseCall():
            return t.pgettext("headline", "False call")
        case WhoCalled():
            return t.pgettext("headline", "Who called?")
        case NobodyCalls():
            return t.pgettext("headline", "No calling")
        case MissedAlignment():
            return t.pgettext("headline", "Missed!")
        case LookClosely():
            return t.pgettext("headline", "Look closely!")
    assert_never(message)


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
