"""`quarto-pi firmware`: the real mpremote at the prompt of the real MicroPython."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from hashlib import sha256

import pytest

from quarto_pi.cli import main
from quarto_pi.config import Config
from quarto_pi.devices import node_update
from quarto_pi.devices.node_firmware import build, files
from tests.pico.running import running
from tests.pico.underneath import OnAPico, on_a_pico


def on_flash(under: OnAPico) -> dict[str, bytes]:
    flash = under.pico.flash
    return {str(path.relative_to(flash)): path.read_bytes() for path in flash.rglob("*") if path.is_file()}


def test_pico_at_its_prompt_becomes_a_node(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as stack:
        under = on_a_pico(stack, Config(), plugged=False)
        modules = under.pico.flash / "quarto_pi" / "firmware"
        for path in (
            under.pico.flash / "main.py",
            under.pico.flash / "boot.py",
            modules / "pins.py",
            modules / "cable.py",
        ):
            path.unlink()
        (modules / "lights.py").write_text("half a fi")
        (modules / "left_over.py").write_text("old = True\n")
        under.pico.plug_in()
        with running(under):
            assert main(["firmware", str(under.pico.port)]) == 0, capsys.readouterr().err
        assert on_flash(under) == files()
        out, err = capsys.readouterr()
        assert set(out.split()) == set(files())
        assert build() in err


def test_file_that_is_read_back_otherwise_than_it_was_written_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {**node_update.hashes(), "main.py": sha256(b"something else").hexdigest()}
    monkeypatch.setattr(node_update, "hashes", lambda: wanted)
    with ExitStack() as stack:
        under = on_a_pico(stack, Config(), plugged=False)
        (under.pico.flash / "main.py").unlink()
        under.pico.plug_in()
        with running(under):
            assert main(["firmware", str(under.pico.port)]) == 1
    assert "main.py cannot be read back as written: try again" in capsys.readouterr().err


@pytest.mark.slow
def test_empty_pico_becomes_a_node(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as stack:
        under = on_a_pico(stack, Config(), plugged=False)
        shutil.rmtree(under.pico.flash)
        under.pico.flash.mkdir()
        under.pico.plug_in()
        with running(under):
            assert main(["firmware", str(under.pico.port)]) == 0, capsys.readouterr().err
        assert on_flash(under) == files()


def test_running_node_makes_room_and_is_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as stack:
        under = on_a_pico(stack, Config(), plugged=False)
        old = under.pico.flash / "quarto_pi" / "firmware" / "protocol.py"
        old.write_text(old.read_text().replace("VERSION = 1\n", "VERSION = 0\n"))
        under.pico.plug_in()
        with running(under):
            assert main(["firmware", str(under.pico.port)]) == 0, capsys.readouterr().err
        assert on_flash(under) == files()
        assert "has made room" in capsys.readouterr().err


def test_list_tells_what_would_be_copied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["firmware", "--list"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert {line[2]: (line[0], int(line[1])) for line in lines} == {
        place: (sha256(content).hexdigest(), len(content)) for place, content in files().items()
    }


def test_port_that_is_not_there_is_told_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["firmware", "/dev/no-such-port"]) == 1
    assert "there is no /dev/no-such-port: plug the Pico in" in capsys.readouterr().err
