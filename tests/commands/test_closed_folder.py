"""The folder of the board's state belongs to the service: who may not look into it is told so in one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quarto_pi.checks.machine import this_machine
from quarto_pi.checks.plan import ChosenDevices, checks_of_installation, go_through
from quarto_pi.cli import main
from quarto_pi.config import Config
from quarto_pi.words.catalogue import LOCALE_FOLDER

NOBODY = 65_534


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The state's folder, of somebody else than the user that this test is now."""
    folder = tmp_path / "quarto-pi"
    folder.mkdir()
    folder.chmod(0)
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    us = os.geteuid()
    # Root may look into everything.
    os.seteuid(us or NOBODY)
    try:
        if not os.access(LOCALE_FOLDER, os.R_OK, effective_ids=True):
            pytest.skip("the sources stand where nobody but root may read them")
        yield folder
    finally:
        os.seteuid(us)


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["enrol"], "tags.toml"),
        (["run"], "tags.toml"),
        (["export"], "journal.sqlite"),
        (["config", "show"], "journal.sqlite"),
    ],
)
def test_command_is_refused_in_one_sentence_that_says_what_to_do(
    arguments: list[str], file: str, closed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(arguments)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"{closed / file} cannot be used (Permission denied); use sudo.")


def test_check_goes_on_and_says_what_it_could_not_see(closed: Path) -> None:
    checks = checks_of_installation(this_machine(os.environ), Config())
    found = {finding.device: finding for finding in go_through(checks, ChosenDevices())}
    assert {"tags", "service", "journal"} <= set(found)
    for device in ("tags", "journal"):
        assert not found[device].ok
        assert str(closed) in found[device].detail
        assert found[device].fix == "sudo quarto-pi check"
