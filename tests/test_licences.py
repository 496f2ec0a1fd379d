"""What is shipped under which licence is said where people and programs look for it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FONTS = ROOT / "quarto_pi" / "screens" / "fonts"
NOTICES = {"LICENSE": "MIT", "LICENSE-ofl.txt": "OFL-1.1", "LICENSE-adobe.txt": "LicenseRef-Adobe-Digital-fonts"}


def test_every_licence_that_is_shipped_is_named_in_pyproject_and_no_other() -> None:
    shipped = {file.name for pattern in PROJECT["license-files"] for file in ROOT.glob(pattern)}
    assert shipped == set(NOTICES)
    assert set(PROJECT["license"].split(" AND ")) == set(NOTICES.values())


def test_every_font_is_named_in_one_of_the_notices_beside_it() -> None:
    notices = "".join(file.read_text(encoding="utf-8") for file in FONTS.glob("LICENSE-*.txt"))
    fonts = list(FONTS.glob("*.gz"))
    assert fonts
    for file in fonts:
        assert file.name in notices or f"{file.name.split('-')[0]}-*.glyphs.gz" in notices


def test_readme_names_the_folder_of_the_other_licences() -> None:
    assert "`quarto_pi/screens/fonts/`" in (ROOT / "README.md").read_text(encoding="utf-8").split("## Licence")[1]
