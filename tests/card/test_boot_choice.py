import pytest
from card.boot_choice import BootChoice, Slot, State, read_choice
from hypothesis import given
from hypothesis import strategies as st

CHOICES = st.builds(
    lambda usual, other: BootChoice(usual, {usual: State.GOOD, usual.other: other}),
    st.sampled_from(Slot),
    st.sampled_from(State),
)


@given(CHOICES)
def test_what_was_written_is_read_again_from_one_whole_sector(choice: BootChoice) -> None:
    assert len(choice.encoded()) == 512
    assert read_choice(choice.encoded()) == choice


@given(CHOICES)
def test_the_firmware_finds_its_line(choice: BootChoice) -> None:
    lines = choice.encoded().decode("ascii").splitlines()
    assert f"boot_partition={choice.usual.boot_partition}" in lines
    assert sum("boot_partition" in line for line in lines) == 1


def test_a_card_as_it_is_flashed_boots_the_first_slot() -> None:
    assert BootChoice().usual is Slot.A
    assert BootChoice().state(Slot.B) is State.BAD


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_who_turns_the_number_by_hand_chooses_the_other_system(end: str) -> None:
    text = BootChoice().encoded().decode("ascii").replace("=2", "=3").replace("\n", end)
    choice = read_choice(text.encode())
    assert (choice.usual, choice.state(Slot.B)) == (Slot.B, State.GOOD)


@pytest.mark.parametrize("text", [b"", b"\xff\xfe\0", b"boot_partition=7\n", b"boot_partition=\n"])
def test_a_file_that_says_nothing_is_that_of_a_new_card(text: bytes) -> None:
    assert read_choice(text) == BootChoice()


def test_an_update_that_was_tried_and_did_not_stay_is_bad() -> None:
    tried = BootChoice().marked(Slot.B, State.TRIED)
    assert tried.after_start(Slot.A).state(Slot.B) is State.BAD
    assert tried.after_start(Slot.B) == tried


def test_a_system_that_is_left_is_not_returned_to() -> None:
    both = BootChoice().marked(Slot.B, State.GOOD)
    left = both.left(Slot.A)
    assert (left.usual, left.state(Slot.A)) == (Slot.B, State.BAD)
    assert left.left(Slot.B) == left
