"""The configuration that a fresh board begins with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from installing.options import LANGUAGES, Options, choose
from installing.places import Places

_WIRINGS = "quarto_pi/config/profiles"


def wirings(sources: Path) -> Sequence[str]:
    """The wirings that this version knows by name."""
    return sorted(file.stem for file in (sources / _WIRINGS).glob("*.toml"))


def uses_second_bus(sources: Path, wiring: str) -> bool:
    """Whether a wiring has lights under the squares."""
    file = sources / _WIRINGS / f"{wiring}.toml"
    return file.is_file() and "[square_lights]" in file.read_text(encoding="utf-8").splitlines()


def chosen(options: Options, known: Sequence[str], *, is_new: bool) -> tuple[str, str]:
    """The wiring and the language: asked for where the command line leaves them open and a person is there."""
    usual = "pi" if "pi" in known else (known[0] if known else "")
    wiring, language = options.wiring, options.language
    if options.yes or not is_new:
        return wiring or usual, language or "en"
    if known and not wiring:
        wiring = choose("How is the board wired?", known, usual)
    return wiring, language or choose("What does it speak?", LANGUAGES, "en")


def first_configuration(places: Places, wiring: str, language: str, *, open_page: bool) -> str:
    """The text of the file."""
    profile = f'profile = "{wiring}"\n\n' if wiring else ""
    host = "0.0.0.0" if open_page else "127.0.0.1"  # noqa: S104 - only where somebody asks for it
    return (
        "# The board's configuration; docs/configuration.md says what else may stand here.\n"
        "# The installer has written it and never changes it again.\n"
        f"{profile}"
        f'[game]\nlanguage = "{language}"\n\n'
        f'[readers]\ntags = "{places.state / "tags.toml"}"\n\n'
        f'[page]\nhost = "{host}"\n'
    )
