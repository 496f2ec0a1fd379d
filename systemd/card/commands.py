"""What the card's units call: `python3 -m card started`, `grow`, `try`, `died`, `stick NAME`, `page`, or RAUC."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from installing import health, shell
from installing.fall_back import is_failing
from installing.places import Places

from card import growth, rauc_backend
from card.fat import NoSuchFileError
from card.partitions import NotOurTableError
from card.reset_status import NoPowerManagerError, ResetStatus
from card.slots import CardError, Slots, running_slot
from card.trial import PATIENCE_SECONDS, SETTLE_SECONDS, Trial
from card.update import HandedIn, Stick, UpdateError, install_newest, wait_until_released

DATA: Final = Path("/data")
DATA_PARTITION: Final = 7
NOTICE: Final = Path("/run/quarto-pi-notices/update-went-back")
_BY_IDENTIFIER: Final = Path("/dev/disk/by-partuuid")
_RAUC: Final = "rauc"


def main(arguments: Sequence[str]) -> int:
    """Do one of them; return the exit code."""
    try:
        return _do(arguments)
    except (CardError, UpdateError, NoSuchFileError, NoPowerManagerError, NotOurTableError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def _do(arguments: Sequence[str]) -> int:
    match arguments:
        case ["started"]:
            return 0 if _trial(_slots()).run() else 1
        case ["grow"]:
            card = _card()
            grown = growth.grow(card, growth.resize_in_use(card, DATA_PARTITION))
            print("The partition of the games reaches to the end of the card" + (" now" if grown else ""))
            return 0
        case ["try"]:
            return _try_new(_slots())
        case ["died"]:
            return _leave_if_failing(_slots())
        case ["stick", device]:
            return _use_stick(Stick(Path("/dev") / device), _slots())
        case ["page"]:
            return _use_page(HandedIn(), _slots())
        case [first, *question] if first == _RAUC:
            print(rauc_backend.answer(_slots(), question))
            return 0
    print("Say what to do: started, grow, try, died, stick DEVICE, page, or what RAUC asks for.", file=sys.stderr)
    return 2


def _slots() -> Slots:
    slot, identifier = running_slot(Path("/proc/cmdline").read_text(encoding="ascii"))
    return Slots(slot, lambda number: _BY_IDENTIFIER / f"{identifier}-{number:02d}", ResetStatus().request)


def _card() -> Path:
    """The device of the whole card."""
    partition = _slots().partition(1).resolve()
    return Path(str(partition).removesuffix("p1"))


def _trial(slots: Slots) -> Trial:
    return Trial(
        slots,
        watch=lambda readers: health.Watch(SETTLE_SECONDS, readers, patience_seconds=PATIENCE_SECONDS),
        readers=lambda: health.readers_answering(health.look()),
        readers_before=DATA / "readers",
        went_back=_have_said,
        restart=_restart,
        tell=_say,
    )


def _try_new(slots: Slots) -> int:
    if not slots.try_new():
        _say("There is no update that was not tried yet.")
        return 0
    _say("The update is tried: the board starts again.")
    _restart()
    return 0


def _leave_if_failing(slots: Slots) -> int:
    """A system whose board keeps dying, although it was healthy once, is left for the other, where that was good."""
    counted = Places().restarts.read_text(encoding="ascii", errors="replace").split()
    deaths = [int(line) for line in counted if line.isdecimal()]
    if not is_failing(deaths, max(deaths, default=0)) or not slots.leave():
        return 0
    _say("The board keeps dying: the other system is the usual one from now on, and starts.")
    _restart()
    return 0


def _use_stick(stick: Stick, slots: Slots) -> int:
    folder = stick.mount()
    try:
        name = install_newest(folder, _say)
    except UpdateError as error:
        # It stays mounted: copies of the games may be wanted on it.
        print(error, file=sys.stderr)
        return 0
    return _try_new(slots) if name else 0


def _use_page(handed_in: HandedIn, slots: Slots) -> int:
    try:
        version = handed_in.install(_say)
    except UpdateError as error:
        # The board tells it on its page.
        print(error, file=sys.stderr)
        return 0
    if not version:
        return 0
    if not wait_until_released():
        _say("The board has not said for hours that nobody plays: it starts again nevertheless.")
    return _try_new(slots)


def _have_said(sentence: str) -> None:
    """The board itself says so, until it is started again."""
    NOTICE.parent.mkdir(mode=0o755, exist_ok=True)
    NOTICE.write_text(sentence + "\n", encoding="utf-8")
    _say(sentence)


def _restart() -> None:
    shell.run("systemctl", "reboot", "--no-block")


def _say(sentence: str) -> None:
    print(sentence, flush=True)
