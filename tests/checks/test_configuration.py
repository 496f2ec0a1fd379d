"""The files of the configuration: which count, and who may read the PIN."""

from pathlib import Path

from quarto_pi.checks.installation import configuration
from quarto_pi.config.layers import ConfigPlace


def test_files_that_count_are_named(tmp_path: Path) -> None:
    place = ConfigPlace(tmp_path / "quarto-pi.toml", named=False)
    assert configuration(place).detail.startswith("there is no ")
    place.file.write_text("[game]\nlevel = 4\n[page]\n")
    found = configuration(place)
    assert (found.ok, found.detail) == (True, str(place.file))


def test_pin_that_everybody_can_read_is_not_well(tmp_path: Path) -> None:
    place = ConfigPlace(tmp_path / "quarto-pi.toml")
    place.file.write_text("[game]\n")
    place.folder.mkdir()
    drop_in = place.folder / "pin.toml"
    drop_in.write_text('[page]\npin = "geheim4711"\n')
    drop_in.chmod(0o644)
    found = configuration(place)
    assert not found.ok
    assert found.fix == f"sudo chgrp quarto-pi {drop_in} && sudo chmod 640 {drop_in}"
    assert "geheim" not in found.detail
    drop_in.chmod(0o640)
    assert configuration(place).ok
