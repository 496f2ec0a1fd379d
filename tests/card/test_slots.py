from pathlib import Path

import pytest
from card import commands, rauc_backend
from card.boot_choice import FILE, BootChoice, Slot, State, read_choice
from card.fat import FatPartition
from card.slots import CMDLINE, CardError, Slots, running_slot
from card.trial import Trial
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quarto_pi.notices import NOTICES_FOLDER, notice_name
from quarto_pi.referee.messages import Impairment
from tests.card.boot_chain import Pi, PlugPulledError
from tests.card.small_fat import write_small_fat


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    machine = Pi(tmp_path)
    machine.flash(BootChoice().encoded())
    return machine


def install(pi: Pi, slots: Slots, version: bytes) -> None:
    """An update as RAUC installs it, with the questions that it asks on the way."""
    other = slots.running.other.name
    assert rauc_backend.answer(slots, ["get-current"]) == slots.running.name
    rauc_backend.answer(slots, ["set-state", other, "bad"])
    pi.write_update(slots.running.other, version)
    rauc_backend.answer(slots, ["set-primary", other])


class Verdict:
    def __init__(self, complaint: str) -> None:
        self._complaint = complaint

    def complaint(self) -> str:
        return self._complaint


def judge(slots: Slots, folder: Path, complaint: str = "") -> list[str]:
    """What follows from a start; the words are told, and `restart` where one is asked for."""
    told: list[str] = []
    trial = Trial(
        slots,
        watch=lambda readers: Verdict(complaint),  # noqa: ARG005 - as many readers as there are
        readers=lambda: 17,
        readers_before=folder / "readers",
        went_back=told.append,
        restart=lambda: told.append("restart"),
        tell=told.append,
    )
    trial.run()
    return told


def update_and_judge(pi: Pi, folder: Path) -> None:
    """From the stick to the healthy board."""
    install(pi, pi.start(), b"2")
    pi.slots(Slot.A).try_new()
    judge(pi.start(), folder)


def version_of(slots: Slots) -> bytes:
    return FatPartition(slots.partition(slots.running.boot_partition)).read("VERSION.TXT")


def test_a_flashed_card_boots_its_first_system(pi: Pi) -> None:
    assert pi.start().running is Slot.A


def test_an_update_is_tried_once_and_stays_when_it_is_healthy(pi: Pi, tmp_path: Path) -> None:
    install(pi, pi.start(), b"2")
    assert pi.slots(Slot.A).try_new()
    slots = pi.start()
    assert (slots.running, version_of(slots)) == (Slot.B, b"2")
    assert judge(slots, tmp_path) == ["The update is healthy: system B is the usual one now."]
    pi.pull_the_plug()
    assert pi.start().running is Slot.B


def test_an_update_that_is_not_healthy_restarts_into_the_system_before(pi: Pi, tmp_path: Path) -> None:
    install(pi, pi.start(), b"2")
    pi.slots(Slot.A).try_new()
    told = judge(pi.start(), tmp_path, "it was not ready within 420 s")
    assert told[-1] == "restart"
    slots = pi.start()
    assert (slots.running, version_of(slots)) == (Slot.A, b"1")
    assert judge(slots, tmp_path) == ["The update did not work: the system before it is back, and nothing is lost."]
    assert judge(slots, tmp_path) == [], "it is said once"
    assert slots.choice().state(Slot.B) is State.BAD
    assert not slots.try_new()


def test_an_update_that_hangs_is_gone_once_the_watchdog_or_the_plug_ends_it(pi: Pi) -> None:
    install(pi, pi.start(), b"2")
    pi.slots(Slot.A).try_new()
    assert pi.start().running is Slot.B
    assert pi.start().running is Slot.A


def test_an_update_that_was_written_and_not_yet_tried_waits(pi: Pi) -> None:
    install(pi, pi.start(), b"2")
    pi.pull_the_plug()
    slots = pi.start()
    assert (slots.running, slots.choice().to_try()) == (Slot.A, Slot.B)
    assert rauc_backend.answer(slots, ["get-primary"]) == "B"
    assert slots.try_new()


def test_updates_go_to_and_fro(pi: Pi, tmp_path: Path) -> None:
    for version, slot in ((b"2", Slot.B), (b"3", Slot.A), (b"4", Slot.B)):
        slots = pi.start()
        install(pi, slots, version)
        slots.try_new()
        slots = pi.start()
        assert (slots.running, version_of(slots)) == (slot, version)
        judge(slots, tmp_path)
    # The one before the last is still there, and good.
    assert pi.start().choice().state(Slot.A) is State.GOOD


def test_a_board_that_keeps_dying_leaves_its_system_for_the_one_before_and_stays_there(pi: Pi, tmp_path: Path) -> None:
    install(pi, pi.start(), b"2")
    pi.slots(Slot.A).try_new()
    slots = pi.start()
    judge(slots, tmp_path)
    assert slots.leave()
    slots = pi.start()
    assert version_of(slots) == b"1"
    assert not slots.leave(), "what was left is not returned to"


def test_a_single_system_is_never_left(pi: Pi) -> None:
    assert not pi.start().leave()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(st.one_of(st.none(), st.integers(0, 12)), min_size=1, max_size=6),
    healthy=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_wherever_the_plug_is_pulled_a_whole_system_starts(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int | None], healthy: list[bool]
) -> None:
    folder = tmp_path_factory.mktemp("card")
    pi = Pi(folder)
    pi.flash(BootChoice().encoded())
    version = 1
    for cut, is_healthy in zip(cuts, healthy, strict=False):
        slots = pi.start()  # what is not whole is an error here
        before = version_of(slots)
        version += 1
        try:
            with pi.cut_after(cut):
                judge(slots, folder)
                install(pi, slots, str(version).encode())
                slots.try_new()
                slots = pi.start()
                judge(slots, folder, "" if is_healthy else "it ends as soon as it is started")
        except PlugPulledError:
            pi.pull_the_plug()
            assert version_of(pi.start()) in (before, str(version).encode())
        else:
            assert version_of(pi.start()) == (str(version).encode() if is_healthy else before)
        pi.pull_the_plug()


def test_every_single_write_of_an_update_may_be_the_last(pi: Pi, tmp_path: Path) -> None:
    with pi.cut_after(None):
        update_and_judge(pi, tmp_path)
    assert pi.writes >= 9
    for cut in range(pi.writes):
        pi.flash(BootChoice().encoded())
        with pytest.raises(PlugPulledError), pi.cut_after(cut):
            update_and_judge(pi, tmp_path)
        pi.pull_the_plug()
        assert version_of(pi.start()) == b"1", (
            "until it has shown that it is healthy, the system before is the usual one"
        )


def test_nothing_is_written_where_nothing_has_changed(pi: Pi, tmp_path: Path) -> None:
    judge(pi.start(), tmp_path)
    before = pi.contents()
    with pi.cut_after(0):
        judge(pi.start(), tmp_path)
    assert pi.contents() == before


def test_the_update_gets_the_root_of_its_own_slot(pi: Pi) -> None:
    install(pi, pi.start(), b"2")
    text = FatPartition(pi.partition(3)).read(CMDLINE).decode()
    assert running_slot(text)[0] is Slot.B
    assert text.replace("-06", "-05") == FatPartition(pi.partition(2)).read(CMDLINE).decode()


def test_an_update_whose_boot_files_name_no_root_is_not_offered(pi: Pi) -> None:
    write_small_fat(pi.partition(3), {CMDLINE: b"root=/dev/sda1\n"})
    with pytest.raises(CardError, match="not for this card"):
        pi.slots(Slot.A).offer(Slot.B)
    assert pi.slots(Slot.A).choice().to_try() is None


def test_the_running_system_is_never_replaced(pi: Pi) -> None:
    before = pi.contents()
    slots = pi.start()
    rauc_backend.answer(slots, ["set-state", "A", "bad"])
    rauc_backend.answer(slots, ["set-primary", "A"])
    assert pi.contents() == before
    with pytest.raises(CardError, match="running system"):
        slots.offer(Slot.A)


def test_the_first_partition_may_have_been_edited(pi: Pi) -> None:
    """An editor writes the file anew, elsewhere; one shorter than a sector has no room for what is known."""
    write_small_fat(pi.partition(1), {"QUARTO~1.TXT": b"x" * 2000, FILE: b"[all]\r\nboot_partition=2\r\n"})
    slots = pi.start()
    assert slots.choice() == BootChoice()
    with pytest.raises(CardError, match=r"autoboot\.txt on the card was edited"):
        slots.mark(Slot.B, State.NEW)
    write_small_fat(pi.partition(1), {"QUARTO~1.TXT": b"x" * 2000, FILE: BootChoice().encoded()})
    slots.mark(Slot.B, State.NEW)
    assert read_choice(FatPartition(pi.partition(1)).read(FILE)).state(Slot.B) is State.NEW


def test_what_rauc_asks_that_is_not_known_is_refused(pi: Pi) -> None:
    for question in ([], ["get-state", "C"], ["reboot"]):
        with pytest.raises(CardError, match="which a card does not know"):
            rauc_backend.answer(pi.start(), question)


def test_rauc_hears_of_every_slot_what_it_can_hear(pi: Pi) -> None:
    slots = pi.start()
    assert [rauc_backend.answer(slots, ["get-state", name]) for name in "AB"] == ["good", "bad"]
    install(pi, slots, b"2")
    assert rauc_backend.answer(slots, ["get-state", "B"]) == "good"
    rauc_backend.answer(slots, ["set-state", "B", "good"])
    assert slots.choice().state(Slot.B) is State.NEW, "that one is good is for the board to show"


def test_a_system_that_runs_from_elsewhere_is_no_card() -> None:
    with pytest.raises(CardError, match="does not run from a card"):
        running_slot("root=/dev/sda1 ro")


def test_what_a_card_has_the_board_say_is_where_the_board_looks() -> None:
    # The card's own programs run before there is any board, and import nothing of it.
    assert NOTICES_FOLDER / notice_name(Impairment.WENT_BACK) == commands.NOTICE
