"""A fault that is planted into the sources to see whether the tests find it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Fault:
    """What stands in a file under `quarto_pi`, once and only once, what is written instead, and who has to notice.

    `tests` are files under `tests`, without their `test_` and `.py`: "rules/calling".
    """

    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    @property
    def path(self) -> str:
        """The file from the root of the repository."""
        return f"quarto_pi/{self.file}"

    @property
    def test_files(self) -> tuple[str, ...]:
        """The files of tests from the root of the repository."""
        return tuple(f"tests/{folder}test_{name}.py" for folder, name in map(_parts, self.tests))

    def planted_in(self, text: str) -> str:
        """The text of the file with the fault in it; ValueError where the place is not found, or is found twice."""
        if text.count(self.before) != 1:
            raise ValueError(f"{self.path} has {self.before!r} {text.count(self.before)} times instead of once")
        return text.replace(self.before, self.after)


def _parts(test: str) -> tuple[str, str]:
    folder, slash, name = test.rpartition("/")
    return f"{folder}{slash}", name
