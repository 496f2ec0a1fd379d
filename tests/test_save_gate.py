"""What is shown waits for what has to be safe before it, in its order, and not for ever."""

from __future__ import annotations

from quarto_pi.controller.loop import SaveGate
from quarto_pi.referee import Effect, ShutDown, Speak, Tell
from quarto_pi.referee.effects import Resolved
from quarto_pi.referee.messages import KeptAgain, Paused

SETTLED, LATER = Tell(1, Resolved()), Speak(Paused())


def shown(save_gate: SaveGate, safe: int, now: int) -> list[Effect]:
    return list(save_gate.take(lambda ticket: ticket <= safe, now))


def test_what_settles_nothing_is_shown_at_once() -> None:
    save_gate = SaveGate()
    save_gate.put((LATER,), None, 0)
    assert shown(save_gate, 0, 0) == [LATER]


def test_what_comes_after_something_unsafe_waits_with_it() -> None:
    save_gate = SaveGate()
    save_gate.put((SETTLED,), 1, 0)
    save_gate.put((LATER,), None, 10)
    assert shown(save_gate, 0, 20) == []
    assert shown(save_gate, 1, 30) == [SETTLED, LATER]
    assert not save_gate


def test_each_waits_for_its_own_ticket() -> None:
    save_gate = SaveGate()
    save_gate.put((SETTLED,), 1, 0)
    save_gate.put((ShutDown(),), 2, 0)
    assert shown(save_gate, 1, 0) == [SETTLED]
    assert shown(save_gate, 2, 0) == [ShutDown()]


def test_slow_storage_keeps_nobody_waiting_for_longer_than_a_second() -> None:
    save_gate = SaveGate()
    save_gate.put((SETTLED,), 1, 0)
    save_gate.put((Speak(KeptAgain()),), 2, 500)
    assert shown(save_gate, 0, 999) == []
    assert shown(save_gate, 0, 1_000) == [SETTLED]
    assert shown(save_gate, 0, 1_500) == [Speak(KeptAgain())]
