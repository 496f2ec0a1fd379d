"""A card with its partitions, as folders; and a plug that is pulled while something is done to them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from quarto_pi.config import Config
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.first_start.owner_settings import ANSWERS_FILE, keep_answers
from quarto_pi.first_start.taking_over import KEYFILE, SETTINGS_FILE, TakingPlaces

BASE = 'profile = "pi"\n[page]\nhost = "0.0.0.0"\n[network]\npresent = true\n'


class Card:
    """A card with its partitions, as folders."""

    def __init__(self, folder: Path) -> None:
        self.places = TakingPlaces(
            folder / "boot", folder / "etc", folder / "networks", folder / "state" / ANSWERS_FILE
        )
        for part in (self.places.card, self.places.config, self.places.answers.parent):
            part.mkdir(parents=True)
        (self.places.config / "quarto-pi.toml").write_text(BASE, encoding="utf-8")

    @property
    def file(self) -> Path:
        return self.places.card / SETTINGS_FILE

    @property
    def config(self) -> Config:
        return lay(ConfigPlace(self.places.config / "quarto-pi.toml").sources()).config

    @property
    def keyfile(self) -> str:
        return (self.places.networks / KEYFILE).read_text(encoding="utf-8")

    def say(self, text: str) -> None:
        self.file.write_bytes(text.encode())

    def answer(self, **answers: str) -> None:
        keep_answers(self.places.answers.parent, answers)

    def everything(self) -> dict[str, bytes]:
        """All files with their contents, but for those that were not finished."""
        root = self.places.card.parent
        return {
            f"{file.relative_to(root)}": file.read_bytes()
            for file in sorted(root.rglob("*"))
            if file.is_file() and not file.name.endswith(".new")
        }


class PowerCut(BaseException):
    """The plug is pulled."""


STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown"}
_hooks: list[Callable[[str, tuple[object, ...]], None]] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    for hook in _hooks:
        hook(event, arguments)


sys.addaudithook(_hook)


@contextmanager
def cut_before(step: int, folder: Path) -> Iterator[None]:
    """Pull the plug before so many things have been done to the files of this folder; from then on nothing works."""
    count = 0

    def look(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        is_write = event != "open" or (isinstance(arguments[2], int) and arguments[2] & 0o3)
        if event in STEPS and is_write and (f"{folder}" in f"{arguments[0]}" or isinstance(arguments[0], int)):
            count += 1
            if count > step:
                raise PowerCut

    _hooks.append(look)
    try:
        yield
    finally:
        _hooks.remove(look)
