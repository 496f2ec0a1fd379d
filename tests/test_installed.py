"""The command that installs a missing package, for the installation that lacks it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from quarto_pi.wiring import platform
from quarto_pi.wiring.platform import MFRC522, Installation, not_installed, this_installation

ROOT = Path(__file__).parent.parent
WITH_MFRC522 = "install --no-deps 'mfrc522>=0.0.7,<0.0.8'"


@pytest.fixture
def by_pip(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "venv", "/home/me/venv/bin/python", Path("/home/me/quarto-pi"))


@pytest.fixture
def by_pipx(tmp_path: Path) -> Installation:
    (tmp_path / "pipx_metadata.json").touch()
    return Installation(tmp_path, str(tmp_path / "bin/python"), Path("/home/me/quarto-pi"))


@pytest.fixture
def by_make(tmp_path: Path) -> Installation:
    return Installation(tmp_path / ".venv", str(tmp_path / ".venv/bin/python"), tmp_path)


def test_pip_is_told_of_in_the_environment_that_runs(by_pip: Installation) -> None:
    pip = "/home/me/venv/bin/python -m pip"
    assert by_pip.with_mfrc522() == f"{pip} {WITH_MFRC522}"
    assert by_pip.with_simulation() == (f"{pip} install '/home/me/quarto-pi[simulation]' && {pip} {WITH_MFRC522}")
    assert by_pip.compiled() == (
        f"sudo apt install gcc libc6-dev python3-dev, then {pip} install --force-reinstall --no-deps /home/me/quarto-pi"
    )


def test_pipx_has_commands_of_its_own(by_pipx: Installation) -> None:
    pipx = f"pipx runpip quarto-pi {WITH_MFRC522}"
    assert by_pipx.with_mfrc522() == pipx
    assert by_pipx.with_simulation() == f"pipx install --force '/home/me/quarto-pi[simulation]' && {pipx}"


def test_what_make_has_set_up_it_sets_up_again(by_make: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    assert by_make.sources is not None
    assert by_make.with_simulation() == f"cd {by_make.sources} && make play"
    monkeypatch.chdir(by_make.sources)
    assert by_make.compiled() == "sudo apt install gcc libc6-dev python3-dev, then make play"


def test_a_board_is_installed_again_by_its_installer() -> None:
    board = Installation(Path("/opt/quarto-pi/versions/1/venv"), "/opt/quarto-pi/versions/1/venv/bin/python", None)
    assert board.compiled().endswith("then sudo ./systemd/install")


def test_the_sources_of_this_installation_are_found() -> None:
    assert this_installation().sources == ROOT


@pytest.mark.parametrize("package", ["mfrc522", "starlette", "gpiozero"])
def test_one_message_has_every_command(package: str, by_pipx: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "this_installation", lambda: by_pipx)
    message = str(not_installed(ModuleNotFoundError(name=package)))
    assert message.startswith(f"the package {package} is not installed")
    assert message.endswith(f"pipx runpip quarto-pi {WITH_MFRC522}")


def test_what_only_a_pi_has_is_not_to_be_installed_on_another_computer() -> None:
    said = str(not_installed(ModuleNotFoundError(name="RPi")))
    assert said.endswith("with its set 'pi4' or 'pi5'; elsewhere say --simulated.")


def test_the_readers_package_is_the_one_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["quarto-pi"]["without-dependencies"] == [MFRC522]
