from pathlib import Path

import pytest
from card_build.emulation import CannotRunError, ForeignPrograms

LINE = r":qemu-aarch64:M::\x7fELF:\xff:/usr/bin/qemu:OPF"


@pytest.fixture
def programs(tmp_path: Path) -> ForeignPrograms:
    """A machine with another processor, whose kernel was not told anything."""
    line = tmp_path / "qemu-aarch64.conf"
    line.write_text(LINE + "\n", encoding="ascii")
    folder = tmp_path / "binfmt_misc"
    folder.mkdir()
    (folder / "register").touch()
    return ForeignPrograms("x86_64", folder, line, ("false",))


def told(programs: ForeignPrograms) -> str:
    return (programs.folder / "register").read_text(encoding="ascii")


def test_the_kernel_is_told_how_programs_for_a_pi_are_run(programs: ForeignPrograms) -> None:
    assert programs.let_run()
    assert told(programs) == LINE


def test_nothing_is_done_where_they_run_already(programs: ForeignPrograms) -> None:
    (programs.folder / "qemu-aarch64").write_text("enabled\ninterpreter /usr/bin/qemu\n", encoding="ascii")
    assert not programs.let_run()
    assert told(programs) == ""


def test_nothing_is_done_on_a_pi_itself(programs: ForeignPrograms) -> None:
    assert not ForeignPrograms("aarch64", programs.folder, programs.line, programs.mount).let_run()
    assert told(programs) == ""


def test_what_was_switched_off_is_switched_on(programs: ForeignPrograms) -> None:
    (programs.folder / "qemu-aarch64").write_text("disabled\n", encoding="ascii")
    assert programs.let_run()
    assert (programs.folder / "qemu-aarch64").read_text(encoding="ascii") == "1"


def test_the_place_where_the_kernel_is_told_is_mounted_first(programs: ForeignPrograms) -> None:
    (programs.folder / "register").unlink()
    mounting = ("sh", "-c", 'touch "$0/register"')
    assert ForeignPrograms("x86_64", programs.folder, programs.line, mounting).let_run()
    assert told(programs) == LINE


def test_a_kernel_that_can_not_do_it_is_told_of_in_one_sentence(programs: ForeignPrograms) -> None:
    (programs.folder / "register").unlink()
    with pytest.raises(CannotRunError, match=r"^This kernel can't be told .* make the card on .*\.$"):
        programs.let_run()
    (programs.folder / "register").touch()
    programs.line.unlink()
    with pytest.raises(CannotRunError, match="No such file"):
        programs.let_run()
