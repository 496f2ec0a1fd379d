"""One poll of one reader: wake, confirm or find out, send to sleep; nothing is believed unchecked."""

from __future__ import annotations

from typing import Final

from quarto_pi.clock import Clock
from quarto_pi.devices.readers.chip import SWITCHING_TRIES, AnswerKind, Chip, FrameAnswer
from quarto_pi.devices.readers.exchange import LEAD_US, Dialogue, Steps, has_check_byte, has_crc, levels_of, with_crc
from quarto_pi.devices.readers.health import CellFinding, Fault, Version
from quarto_pi.firmware.iso14443 import (
    CASCADE_BIT,
    CASCADE_TAG,
    GUARD_US,
    LEVEL_BYTES,
    LEVELS,
    NOTHING_KNOWN,
    SAK_BYTES,
    SELECT_ALL,
)
from quarto_pi.sensing.readings import Outcome

MOST_TAGS: Final = 4


class _PollFailed(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.name)
        self.fault = fault


_FAULT_BY_ANSWER: Final = {
    AnswerKind.GARBLED: Fault.RECEPTION,
    AnswerKind.COLLISION: Fault.RECEPTION,
    AnswerKind.SILENCE: Fault.BROKEN_OFF,
    AnswerKind.PENDING: Fault.NO_ANSWER,
    AnswerKind.UNSENT: Fault.NO_ANSWER,
    AnswerKind.RESET: Fault.RESET,
    AnswerKind.NO_CHIP: Fault.NO_CHIP,
    AnswerKind.MISCONFIGURED: Fault.CONFIGURATION,
}
_CHIP_FAULTS: Final = frozenset({Fault.NO_CHIP, Fault.RESET, Fault.NO_ANSWER, Fault.CONFIGURATION})


class Poll:
    """The steps of one poll, in three parts between which the scheduler decides: warm up, ask, cool down."""

    def __init__(
        self,
        chip: Chip,
        clock: Clock,
        known: bytes | None = None,
        *,
        survey_level: int | None = None,
        audit: bool = False,
    ) -> None:
        self._chip = chip
        self._clock = clock
        self._known = known
        self._survey_level = survey_level
        self._audit = audit
        self._dialogue = Dialogue(chip, clock)
        self._tag_is_active = False
        self.field_is_off = True

    def warm_up(self) -> Steps[None]:
        """Switch the field on, load the call, and come back when tags are ready for it."""
        self.field_is_off = False
        self._chip.field_on()
        guard_ends_at = self._clock.now() + GUARD_US
        yield self._clock.now()
        self._dialogue.load_call(self._chip.PICC_REQALL)
        yield guard_ends_at - LEAD_US

    def ask(self) -> Steps[CellFinding]:
        """Find out what is in the field."""
        first = yield from self._attempt(self._known, first=True)
        if first.outcome in (Outcome.TAG, Outcome.SEVERAL) or first.fault in _CHIP_FAULTS:
            return self._checked(first)
        if first.outcome is Outcome.EMPTY and self._known is None:
            return first
        second = yield from self._attempt(None, first=False)
        missed = self._known is not None and first.fault in (None, Fault.BROKEN_OFF)
        if second.outcome in (Outcome.TAG, Outcome.SEVERAL) or second.fault in _CHIP_FAULTS:
            return self._checked(CellFinding(second.outcome, second.uids, second.fault, missed))
        if first.outcome is Outcome.EMPTY and second.outcome is Outcome.EMPTY:
            return self._checked_absence()
        return CellFinding(Outcome.ERROR, fault=first.fault or second.fault, missed=missed)

    def cool_down(self) -> Steps[None]:
        """Send a selected tag to sleep and switch the field off."""
        if self._tag_is_active:
            yield from self._dialogue.halt()
        self.switch_off()

    def switch_off(self, tries: int = SWITCHING_TRIES) -> bool:
        """Switch the field off, even over a bus that fails now and then, and return whether the chip confirms it."""
        self.field_is_off = self._chip.field_off(tries)
        return self.field_is_off

    def _checked(self, finding: CellFinding) -> CellFinding:
        if finding.fault is Fault.NO_CHIP and Version.of(self._chip.version()) is Version.NO_CHIP:
            return CellFinding(Outcome.DEAD, fault=Fault.NO_CHIP)
        return finding

    def _checked_absence(self) -> CellFinding:
        # a chip without its modulation setting hears clean silence too
        if not self._chip.holds_configuration():
            return CellFinding(Outcome.ERROR, fault=Fault.CONFIGURATION, missed=True)
        return CellFinding(Outcome.EMPTY, missed=True)

    def _attempt(self, known: bytes | None, *, first: bool) -> Steps[CellFinding]:
        self._tag_is_active = False
        found: list[bytes] = []
        try:
            woken = yield from self._wake(loaded=first)
            if woken is None:
                return CellFinding(Outcome.EMPTY)
            if known is not None and woken.kind is AnswerKind.DATA:
                yield from self._recognise(known)
                return CellFinding(Outcome.TAG, (known,))
            several = yield from self._find_all(found, several=woken.kind is AnswerKind.COLLISION)
        except _PollFailed as failure:
            if len(found) > 1:
                return CellFinding(Outcome.SEVERAL, tuple(sorted(found)))
            return CellFinding(Outcome.ERROR, fault=failure.fault)
        return CellFinding(Outcome.SEVERAL if several else Outcome.TAG, tuple(sorted(found)))

    def _wake(self, *, loaded: bool) -> Steps[FrameAnswer | None]:
        """Call all tags and return the answer, None for silence.

        After a broken exchange a tag spends one call on falling back to IDLE, and answers the next
        (ISO 14443-3, figure 7), so then silence is believed the second time only.
        """
        for _ in range(1 if loaded else 2):
            answer = yield from self._call(self._chip.PICC_REQALL, loaded=loaded)
            if answer.kind is not AnswerKind.SILENCE:
                return answer
        return None

    def _call(self, command: int, *, loaded: bool = False) -> Steps[FrameAnswer]:
        audit, self._audit = self._audit, False
        answer = yield from self._dialogue.call(command, loaded=loaded, audit=audit)
        if answer.kind in (AnswerKind.DATA, AnswerKind.SILENCE, AnswerKind.COLLISION):
            return answer
        raise _PollFailed(_fault_of(answer))

    def _recognise(self, uid: bytes) -> Steps[None]:
        """SELECT a known UID level by level, without anticollision.

        SELECT is deaf to other tags, so a survey asks one level, a different one each time, for all that are there.
        """
        parts = levels_of(uid)
        for number, part in enumerate(parts):
            if self._survey_level is not None and number == self._survey_level % len(parts):
                answer = yield from self._dialogue.next(bytes((LEVELS[number], NOTHING_KNOWN)), LEVEL_BYTES)
                if answer.kind is not AnswerKind.DATA or answer.data != part:
                    raise _PollFailed(_fault_of(answer))
                return
            sak = yield from self._select(LEVELS[number], part)
            if bool(sak & CASCADE_BIT) != (number + 1 < len(parts)):
                raise _PollFailed(Fault.CHECK)
        self._tag_is_active = True

    def _find_all(self, found: list[bytes], *, several: bool) -> Steps[bool]:
        """Collect UIDs until nobody is left, and return whether there is more than one tag."""
        while True:
            uid, collided = yield from self._find_one()
            found.append(uid)
            several = several or collided
            if not several or len(found) == MOST_TAGS:
                return len(found) > 1
            if self._tag_is_active:
                yield from self._dialogue.halt()
                self._tag_is_active = False
            # a halted tag no longer answers REQA: whoever does is another one
            answer = yield from self._call(self._chip.PICC_REQIDL)
            if answer.kind is AnswerKind.SILENCE:
                return len(found) > 1

    def _find_one(self) -> Steps[tuple[bytes, bool]]:
        """Go through the cascade levels and return one UID and whether there were collisions on the way."""
        uid = b""
        collided = False
        for command in LEVELS:
            level, branched = yield from self._anticollision(command)
            collided = collided or branched
            sak = yield from self._select(command, level)
            goes_on = bool(sak & CASCADE_BIT)
            # A UID never begins like a cascade tag, but its last four bytes may (ISO 14443-3, 6.5.4).
            if (goes_on or not uid) and goes_on != (level[0] == CASCADE_TAG):
                raise _PollFailed(Fault.CHECK)
            uid += level[1:4] if goes_on else level[:4]
            if not goes_on:
                self._tag_is_active = True
                return uid, collided
        raise _PollFailed(Fault.CHECK)

    def _anticollision(self, command: int) -> Steps[tuple[bytes, bool]]:
        answer = yield from self._dialogue.next(bytes((command, NOTHING_KNOWN)), LEVEL_BYTES)
        if answer.kind is not AnswerKind.COLLISION:
            return self._checked_level(answer, b""), False
        # with two tags each branch holds one; a collision that was noise leaves one branch silent
        for bit in (1, 0):
            prefix = _branch(answer, bit)
            rest = yield from self._narrow(command, prefix, answer.collision)
            if rest.kind is not AnswerKind.SILENCE:
                return self._checked_level(rest, prefix, answer.collision), True
        raise _PollFailed(Fault.BROKEN_OFF)

    def _narrow(self, command: int, prefix: bytes, known_bits: int) -> Steps[FrameAnswer]:
        whole, bits = divmod(known_bits, 8)
        frame = bytes((command, NOTHING_KNOWN + (whole << 4) + bits)) + prefix
        return (yield from self._dialogue.next(frame, LEVEL_BYTES - whole, last_bits=bits, align=bits))

    def _checked_level(self, answer: FrameAnswer, prefix: bytes, known_bits: int = 0) -> bytes:
        if answer.kind is not AnswerKind.DATA:
            raise _PollFailed(_fault_of(answer))
        level = bytearray(answer.data)
        if known_bits % 8:
            # the answer began in the middle of the prefix's last byte
            level[0] |= prefix[-1]
            prefix = prefix[:-1]
        whole = prefix + bytes(level)
        if not has_check_byte(whole):
            raise _PollFailed(Fault.CHECK)
        return whole

    def _select(self, command: int, level: bytes) -> Steps[int]:
        answer = yield from self._dialogue.next(with_crc(bytes((command, SELECT_ALL)) + level), SAK_BYTES)
        if answer.kind is not AnswerKind.DATA:
            raise _PollFailed(_fault_of(answer))
        if not has_crc(answer.data):
            raise _PollFailed(Fault.CHECK)
        return answer.data[0]


def _fault_of(answer: FrameAnswer) -> Fault:
    """Return what is wrong with an answer that cannot be used."""
    return _FAULT_BY_ANSWER.get(answer.kind, Fault.CHECK)


def _branch(answer: FrameAnswer, bit: int) -> bytes:
    """Return the received bits before the collision, and the chosen one in its place."""
    length = (answer.collision + 7) // 8
    value = int.from_bytes(answer.data[:length], "little")
    value &= (1 << answer.collision - 1) - 1
    return (value | bit << answer.collision - 1).to_bytes(length, "little")
