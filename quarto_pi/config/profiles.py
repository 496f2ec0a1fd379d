"""The wiring profiles that come with the program: whole wirings by name, below what the file itself says."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from quarto_pi.config.section import ConfigError
from quarto_pi.config.sections import PROFILE
from quarto_pi.config.sources import Source, parse_source
from quarto_pi.rules import hint

FOLDER: Final = Path(__file__).parent / "profiles"


def profile_names() -> tuple[str, ...]:
    """The names of all profiles."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


def profile_source(name: object) -> Source:
    """The keys of a profile."""
    known = profile_names()
    if not isinstance(name, str):
        raise ConfigError(f'{PROFILE} is {name}: write the name of one in quotes, such as "{known[0]}".', (PROFILE,))
    if name not in known:
        raise ConfigError(f'{PROFILE} is "{name}": {hint(name, known)}', (PROFILE,))
    # Nobody looks for a line in a file of the program: its name says enough.
    return Source(f"wiring profile {name}", parse_source((FOLDER / f"{name}.toml").read_text(encoding="utf-8")).keys)


def profile_summary(name: str) -> str:
    """What a profile is for: the comment with which its file begins."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
