"""A version that the hub offers a board, taken in a thread of its own: fetched, kept until nobody plays, handed over.

The board's card judges what is handed over, as it does an update that comes by hand. What was refused, or went back, is
never tried again. All of it goes on where it was after a power cut.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from quarto_pi.chain.fetching import BundleFetch, FetchFailed
from quarto_pi.chain.hub_messages import MOST_OF_BUNDLE, VersionOffer, read_offer
from quarto_pi.chain.messages import BoardStatus, Doing, MessageRefused, VersionStep, VersionTold
from quarto_pi.chain.unforeseen import LONGEST_BACK_OFF_SECONDS, UnforeseenErrors
from quarto_pi.files import put_whole
from quarto_pi.updates import UPDATE_FOLDER, CardUpdates, UpdateStage

TAKING_FILE: Final = "from-hub.json"
PARTIAL_FILE: Final = "from-hub.part"
HOLD_FILE: Final = "hold-restart"
"""Below the service's runtime folder: while it is there the card does not start again into what was installed."""

STILL_SECONDS: Final = 600.0
"""Nobody plays when nothing has happened at the board for so long; when it is asleep, at once."""
FETCH_PACE_SECONDS: Final = 0.5
"""Between two parts: a version may take its time, and a house's network is for its guests."""
SYNC_BYTES: Final = 8_388_608
"""After so much a power cut loses nothing of it."""
FIRST_RETRY: Final = 30.0
LONGEST_FETCH_RETRY: Final = 3_600.0
MOST_A_DAY: Final = 2 * MOST_OF_BUNDLE
DAY_SECONDS: Final = 86_400.0
FORGET_SECONDS: Final = 86_400.0
"""What was fetched of a version that is no longer offered is kept for so long."""
MOST_HANDED: Final = 3
"""A version is handed to the card so often, where a power cut keeps it from being installed."""
SETTLE_SECONDS: Final = 180.0
"""After a start the card has so long to say that it went back to the version before."""
MOST_ENDED: Final = 20
MOST_SAID: Final = 10
"""Lines in the log about one offer."""
LONGEST_MEMORY: Final = 65_536
TAKING_LOOK_SECONDS: Final = 5.0
"""Between two looks whether it can go on: nobody plays any more, or what was handed in by hand is installed."""
CARD_LOOK_SECONDS: Final = 2.0
"""Between two looks at what the card makes of what it was handed."""
_REST: Final = 600.0
_HUNDRED: Final = 100


@dataclass(frozen=True, slots=True)
class TakingMemory:
    """What outlives a power cut: which bundle, how much of it is safe, whether the card has it; how others ended."""

    sha256: str = ""
    version: str = ""
    have: int = 0
    handed: bool = False
    times: int = 0
    ended: Mapping[str, str] = field(default_factory=dict)


class VersionTaking:
    """Takes the version that is offered; `tell` says how far that is. `heard` and `see` may come from any thread.

    `went_back` tells whether the card says that it went back to the version before since it was switched on. `hold` is
    the file that keeps the card from starting again, None where nothing does.
    """

    def __init__(  # noqa: PLR0913 - a card, a hub, and time
        self,
        updates: CardUpdates,
        tell: Callable[[VersionTold | None], None],
        fetch: BundleFetch,
        went_back: Callable[[], bool] = bool,
        hold: Path | None = None,
        say: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
        pace: float = FETCH_PACE_SECONDS,
    ) -> None:
        self._updates = updates
        self._tell = tell
        self._bundles = fetch
        self._went_back = went_back
        self._hold = hold
        self._say = say
        self._errors = UnforeseenErrors(say)
        self._clock = clock
        self._chance = chance
        self._pace = pace
        self._folder = updates.folder / UPDATE_FOLDER
        self._memory = self._recalled()
        self._have = self._whole_part()
        self._offer: VersionOffer | None = None
        self._told: VersionTold | None = None
        self._checked = ""
        self._failures = 0
        self._said: set[str] = set()
        self._began = self._unoffered_since = clock()
        self._day: tuple[float, int] = (clock(), 0)
        self._seen: tuple[object, ...] = ()
        self._still_since: float | None = None
        self._asleep = False
        self._woken = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="version", daemon=True)
        if not self._memory.handed:
            self._release()

    # --- From any thread ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take what is offered from now on."""
        self._thread.start()

    def close(self) -> None:
        """Take nothing more; what is fetched goes on after the next start."""
        self._ended = True
        self._woken.set()
        self._bundles.abort()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def heard(self, _topic: str, payload: bytes) -> None:
        """The hub offers a version, or none any more; what is none of ours is passed over."""
        try:
            offer = read_offer(payload)
        except MessageRefused:
            return
        if offer != self._offer:
            self._unoffered_since = self._clock()
            self._offer = offer
            self._said = set()
            self._bundles.abort()
        # Said again it comes from a hub that was away: that is asked at once.
        self._failures = 0
        self._woken.set()

    def see(self, state: BoardStatus) -> None:
        """What the board does now: while somebody plays nothing is handed to the card."""
        seen = (state.doing, state.game, state.position, state.to_act, state.seats, state.language, state.invites)
        is_free = state.doing in (Doing.WAITING, Doing.OVER, Doing.ASLEEP) and not state.invites
        if seen != self._seen or not is_free:
            self._still_since = self._clock() if is_free else None
        self._seen, self._asleep = seen, state.doing is Doing.ASLEEP

    # --- In a thread of its own ---------------------------------------------------------------------------------------

    def look(self) -> float:
        """Do what is next, and say in how many seconds to look again."""
        offer = self._offer
        if self._memory.handed:
            return self._follow()
        if offer is None:
            return self._rest()
        if offer.version == self._updates.version():
            return self._nothing_to_do()
        why = self._memory.ended.get(offer.sha256)
        if why is not None:
            self._told_is(offer, VersionStep.REFUSED, why)
            return _REST
        if self._updates.is_sent_by_hand() or self._updates.progress()[0] in _BY_HAND:
            # What the owner hands in himself comes first.
            self._told_is(offer, VersionStep.WAITING)
            return TAKING_LOOK_SECONDS
        self._take_up(offer)
        return self._fetched(offer) if self._have < offer.size else self._handed_over(offer)

    def _run(self) -> None:
        while not self._ended:
            self._woken.clear()
            wait = self._looked()
            if not self._ended:
                self._woken.wait(wait)
        self._bundles.close()

    def _looked(self) -> float:
        """One look, whatever fails in it."""
        try:
            return self.look()
        except OSError as error:
            self._say_once(f"The version that the hub offers cannot be kept ({error.strerror}).")
            return LONGEST_FETCH_RETRY
        except Exception as error:  # noqa: BLE001 - it is tried again, and no game is concerned
            self._errors.note("taking the version that the hub offers", error, self._clock())
            return LONGEST_BACK_OFF_SECONDS

    def _rest(self) -> float:
        if self._told is not None and self._told.step is not VersionStep.REFUSED:
            self._tell_if_new(None)
        if self._clock() - self._unoffered_since >= FORGET_SECONDS and self._memory.sha256:
            self._drop()
        return _REST

    def _nothing_to_do(self) -> float:
        self._tell_if_new(None)
        if self._memory.sha256:
            self._drop()
        return _REST

    def _take_up(self, offer: VersionOffer) -> None:
        """From now on it is about this bundle: nothing is kept of another one."""
        if self._memory.sha256 != offer.sha256 or self._have > offer.size:
            self._drop()
            self._remember(replace(self._memory, sha256=offer.sha256, version=offer.version))
        elif self._memory.version != offer.version:
            self._remember(replace(self._memory, version=offer.version))

    def _fetched(self, offer: VersionOffer) -> float:
        now = self._clock()
        room = self._updates.room()
        if offer.size - self._have > room:
            there = f"there is room for {self._have + room} bytes, and the update has {offer.size}."
            self._told_is(offer, VersionStep.REFUSED, there)
            return _REST
        if not self._may_fetch(now):
            return _REST
        self._told_is(offer, VersionStep.FETCHING)
        try:
            part = self._bundles.part(offer, self._have)
        except FetchFailed as failed:
            self._failures += 1
            self._say_once(f"The version that the hub offers was not fetched: {failed} It is tried again.")
            wait = max(failed.wait, min(FIRST_RETRY * 2.0 ** min(self._failures - 1, 10), LONGEST_FETCH_RETRY))
            return wait * (0.5 + self._chance())
        self._failures = 0
        self._day = (self._day[0], self._day[1] + len(part))
        self._append(part, is_last=self._have + len(part) >= offer.size)
        self._told_is(offer, VersionStep.FETCHING)
        if self._have < offer.size:
            return self._pace
        self._bundles.close()
        return 0.0

    def _may_fetch(self, now: float) -> bool:
        """Whether a board may still fetch today: a hub that offers ever new versions fills nobody's line."""
        if now - self._day[0] >= DAY_SECONDS:
            self._day = (now, 0)
        return self._day[1] < MOST_A_DAY

    def _append(self, part: bytes, *, is_last: bool) -> None:
        file = self._folder / PARTIAL_FILE
        with file.open("r+b" if file.exists() else "wb") as stream:
            stream.seek(self._have)
            stream.truncate()
            stream.write(part)
            self._have += len(part)
            if not is_last and self._have - self._memory.have < SYNC_BYTES:
                return
            stream.flush()
            os.fsync(stream.fileno())
        self._remember(replace(self._memory, have=self._have))

    def _handed_over(self, offer: VersionOffer) -> float:
        if self._checked != offer.sha256:
            if _sha256_of(self._folder / PARTIAL_FILE) != offer.sha256:
                return self._end("what came is not what was offered.")
            self._checked = offer.sha256
        self._told_is(offer, VersionStep.WAITING)
        if not self._is_quiet():
            return TAKING_LOOK_SECONDS
        if self._offer != offer:
            return 0.0
        # First what is remembered: a power cut in between has it handed over again, never installed unknown.
        self._remember(replace(self._memory, handed=True, times=self._memory.times + 1))
        self._hold_restart()
        self._updates.hand_over_file(self._folder / PARTIAL_FILE)
        self._have, self._checked = 0, ""
        self._say(f"Version {offer.version}, which the hub offers, is handed to the card.")
        return 0.0

    def _follow(self) -> float:
        """The card has it: what becomes of that."""
        memory = self._memory
        if self._updates.version() == memory.version:
            # Should the board run another one again some day, this one has gone back.
            self._forget("it ran this version, and went back to another one.")
            return 0.0
        stage, sentence = self._updates.progress()
        match stage:
            case UpdateStage.REFUSED.value | UpdateStage.FAILED.value:
                return self._end(sentence or "the card does not take it.")
            case UpdateStage.SAME.value:
                return self._end("the card says that this is the version that runs.")
            case UpdateStage.NONE.value:
                return self._after_start()
            case UpdateStage.INSTALLED.value if self._is_quiet():
                self._release()
        self._tell_if_new(VersionTold(memory.sha256, VersionStep.INSTALLING, _HUNDRED))
        return CARD_LOOK_SECONDS

    def _after_start(self) -> float:
        """The board was started again since the card was given the version, and does not run it."""
        memory = self._memory
        if self._went_back():
            return self._end("the update did not work: the version before it is back.")
        if self._clock() - self._began < SETTLE_SECONDS:
            self._tell_if_new(VersionTold(memory.sha256, VersionStep.INSTALLING, _HUNDRED))
            return TAKING_LOOK_SECONDS
        if memory.times >= MOST_HANDED:
            return self._end(f"the card was given it {MOST_HANDED} times, and the board did not come up with it.")
        # The plug was pulled while it was being installed.
        self._have = self._whole_part()
        self._remember(replace(memory, handed=False, have=self._have))
        return 0.0

    def _end(self, why: str) -> float:
        """This bundle is never tried again; the hub hears why, also where it offers it no more."""
        self._tell_if_new(VersionTold(self._memory.sha256, VersionStep.REFUSED, 0, why))
        self._say(f"Version {self._memory.version}, which the hub offers, is not taken: {why}")
        self._forget(why)
        return 0.0

    def _forget(self, why: str) -> None:
        """Keep of this bundle nothing but how it ended."""
        self._release()
        sha256 = self._memory.sha256
        ended = {**self._memory.ended, sha256: why}
        (self._folder / PARTIAL_FILE).unlink(missing_ok=True)
        self._have, self._checked = 0, ""
        self._remember(TakingMemory(ended=dict(list(ended.items())[-MOST_ENDED:])))

    def _drop(self) -> None:
        (self._folder / PARTIAL_FILE).unlink(missing_ok=True)
        self._have, self._checked = 0, ""
        self._remember(TakingMemory(ended=self._memory.ended))

    def _is_quiet(self) -> bool:
        if self._still_since is None:
            return False
        return self._asleep or self._clock() - self._still_since >= STILL_SECONDS

    # --- The card's restart -------------------------------------------------------------------------------------------

    def _hold_restart(self) -> None:
        if self._hold is not None:
            self._hold.touch()

    def _release(self) -> None:
        if self._hold is not None:
            with suppress(OSError):
                self._hold.unlink(missing_ok=True)

    # --- What is told and remembered ----------------------------------------------------------------------------------

    def _told_is(self, offer: VersionOffer, step: VersionStep, why: str = "") -> None:
        tens = min(10, self._have * 10 // offer.size) * 10
        self._tell_if_new(VersionTold(offer.sha256, step, tens, why))

    def _tell_if_new(self, told: VersionTold | None) -> None:
        if told != self._told:
            self._told = told
            self._tell(told)

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said and len(self._said) < MOST_SAID:
            self._said.add(sentence)
            self._say(sentence)

    def _recalled(self) -> TakingMemory:
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            with (self._folder / TAKING_FILE).open("rb") as stream:
                kept = json.loads(stream.read(LONGEST_MEMORY))
            ended = {str(key): str(why) for key, why in list(kept["ended"].items())[-MOST_ENDED:]}
            return TakingMemory(
                str(kept["sha256"]),
                str(kept["version"]),
                max(0, int(kept["have"])),
                bool(kept["handed"]),
                int(kept["times"]),
                ended,
            )
        return TakingMemory()

    def _whole_part(self) -> int:
        """How much of what was fetched is certainly there: what was not synced may be anything."""
        try:
            return min(self._memory.have, (self._folder / PARTIAL_FILE).stat().st_size)
        except OSError:
            return 0

    def _remember(self, memory: TakingMemory) -> None:
        self._memory = memory
        self._folder.mkdir(exist_ok=True)
        put_whole(self._folder / TAKING_FILE, json.dumps(asdict(memory)).encode())


_BY_HAND: Final = (UpdateStage.CHECKING.value, UpdateStage.INSTALLED.value)
"""While an update that somebody has handed in is checked, or waits for the board's new start, the hub's waits."""


def _sha256_of(file: Path) -> str:
    with suppress(OSError), file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""
