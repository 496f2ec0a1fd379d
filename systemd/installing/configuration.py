"""The configuration that a fresh board begins with."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from installing.options import Options, choose
from installing.places import Places
from quarto_pi.languages import LANGUAGES

_WIRINGS = "quarto_pi/config/profiles"


def wirings(sources: Path) -> Sequence[str]:
    """The wirings that this version knows by name."""
    return sorted(file.stem for file in (sources / _WIRINGS).glob("*.toml"))


def uses_second_bus(sources: Path, wiring: str, places: Places) -> bool:
    """Whether the board has lights under the squares: as its configuration says, or the wiring that a new one gets."""
    if not places.config.exists():
        return "square_lights" in _keys(sources / _WIRINGS / f"{wiring}.toml")
    above = [_keys(file) for file in (places.config, *sorted((places.config.parent / "conf.d").glob("*.toml")))]
    profile = next((keys["profile"] for keys in reversed(above) if "profile" in keys), "")
    layers = [_keys(sources / _WIRINGS / f"{profile}.toml"), *above]
    lights = [keys["square_lights"] for keys in layers if isinstance(keys.get("square_lights"), dict)]
    return bool(lights) and {key: value for each in lights for key, value in each.items()}.get("present", True) is True


def _keys(file: Path) -> dict[str, Any]:
    """What a file says; nothing, where it is not there or wrong: whatever that is, it asks for no bus."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def chosen(options: Options, known: Sequence[str], *, is_new: bool, asks_wiring: bool = True) -> tuple[str, str]:
    """The wiring and the language: asked for where the command line leaves them open and a person is there.

    Nothing is wired at a simulated board, so nobody is asked how.
    """
    usual = "pi" if "pi" in known else (known[0] if known else "")
    wiring, language = options.wiring, options.language
    if options.yes or not is_new:
        return wiring or usual, language or "en"
    if not asks_wiring:
        wiring = wiring or usual
    elif known and not wiring:
        wiring = choose("How is the board wired?", known, usual)
    return wiring, language or choose("What does it speak?", LANGUAGES, "en")


def first_configuration(wiring: str, language: str, *, open_page: bool) -> str:
    """The text of the file."""
    profile = f'profile = "{wiring}"\n\n' if wiring else ""
    host = "0.0.0.0" if open_page else "127.0.0.1"  # noqa: S104 - only where somebody asks for it
    return (
        "# The board's configuration; docs/configuration.md says what else may stand here.\n"
        "# The installer has written it and never changes it again.\n"
        f"{profile}"
        f'[game]\nlanguage = "{language}"\n\n'
        f'[page]\nhost = "{host}"\n'
    )
