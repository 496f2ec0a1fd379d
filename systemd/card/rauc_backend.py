"""What RAUC asks of a boot loader that it does not know (`bootloader=custom`): five questions, one word each."""

from __future__ import annotations

from collections.abc import Sequence

from card.boot_choice import Slot, State
from card.slots import CardError, Slots

_HEALTHY = (State.GOOD, State.NEW, State.TRIED)


def answer(slots: Slots, question: Sequence[str]) -> str:
    """Do or say what RAUC asks for."""
    match question:
        case ["get-current"]:
            return slots.running.name
        case ["get-primary"]:
            choice = slots.choice()
            return (choice.to_try() or choice.usual).name
        case ["set-primary", "A" | "B" as name]:
            if Slot[name] is not slots.running:
                slots.offer(Slot[name])
            return ""
        case ["get-state", "A" | "B" as name]:
            return "good" if slots.choice().state(Slot[name]) in _HEALTHY else "bad"
        case ["set-state", "A" | "B" as name, "good" | "bad" as state]:
            _set_state(slots, Slot[name], is_good=state == "good")
            return ""
    raise CardError(f"RAUC asks for {' '.join(question) or 'nothing'}, which a card does not know.")


def _set_state(slots: Slots, slot: Slot, *, is_good: bool) -> None:
    """Before RAUC writes into a slot it calls it bad; that one is good is for the board to show, not for RAUC."""
    if not is_good and slot is not slots.running:
        slots.mark(slot, State.BAD)
