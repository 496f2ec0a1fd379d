"""A language that nobody foresaw takes a line in the list, a catalogue and a voice; all else follows from them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.words.catalogues import body_of, head_of, ids, messages

ROOT = Path(__file__).parents[2]
PARTS = ("quarto_pi", "firmware", "systemd", "tests", "docs", "pyproject.toml", "conftest.py")
LEFT_OUT = shutil.ignore_patterns("games", "traces", "*.c")

CATALOGUE = "quarto_pi/words/locale/sv/LC_MESSAGES/quarto_pi.po"
BY_HAND = {
    "quarto_pi/languages.py": ('        "pt": "Português",\n', '        "sv": "Svenska",\n'),
    "quarto_pi/devices/speech.py": ('        "pt": ("pt", "pt-br"),\n', '        "sv": ("sv",),\n'),
}
"""The files with a line for each language, the line behind which the further one comes, and that."""

SWEDISH = str.maketrans("aouAOU", "åöyÅÖY")
"""As wide as the English letters, and none of them the same."""


@dataclass(frozen=True)
class Tree:
    """The whole project in another folder."""

    folder: Path

    def run(self, *arguments: str) -> str:
        """What Python prints there."""
        done = subprocess.run(  # noqa: S603 - this Python
            [sys.executable, *arguments],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": f"{self.folder}:{self.folder / 'systemd'}",
                # What one of these has compiled the next one need not compile again.
                "PYTHONDONTWRITEBYTECODE": "",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-2_000:]
        return done.stdout

    def changed(self) -> Iterator[str]:
        """The files that are not as they are here, but for what is never committed."""
        for file in self.folder.rglob("*"):
            name = file.relative_to(self.folder)
            if file.is_file() and file.suffix not in (".mo", ".pyc") and file.name != "COMMIT":
                here = ROOT / name
                if not here.exists() or not cmp(file, here, shallow=False):
                    yield str(name)


def translated(text: str) -> str:
    """Something like Swedish: with the same gaps, in the same room, and no sentence left in English."""
    return "".join(
        part if part[:1] in "%{" else part.translate(SWEDISH) for part in re.split(r"(%\(\w+\)\w|{\w*})", text)
    )


def translate(file: Path) -> None:
    """Fill in a catalogue."""
    with file.open("rb") as written:
        catalog = read_po(written, locale="sv")
    for message in messages(catalog):
        strings = tuple(translated(each) for each in ids(message))
        message.string = strings if message.pluralizable else strings[0]
        if set(strings) & set(ids(message)):
            message.user_comments.append("the same as in English")
    file.write_text(f"{head_of(file.read_text(encoding='utf-8'))}\n{body_of(catalog)}", encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The project with one language more, after the steps of docs/changing.md."""
    folder = tmp_path_factory.mktemp("tree")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / part, folder / part)
    for name, (before, added) in BY_HAND.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, name
        (folder / name).write_text(text.replace(before, before + added), encoding="utf-8")
    grown = Tree(folder)
    assert re.search(r"^sv: \d+ to translate$", grown.run("-m", "tests.words"), re.MULTILINE)
    translate(folder / CATALOGUE)
    assert "sv: complete\n" in grown.run("-m", "tests.words")
    return grown


@pytest.mark.slow
def test_further_language_is_known_to_everything_that_has_languages(tree: Tree) -> None:
    answer = json.loads(tree.run("-m", "tests.words.further_language"))
    assert set(answer["read"].values()) == {"sv"}
    assert answer["said"] == {
        "catalogue": "Fåncy å gåme öf Qyårtö?",
        "menu": "Svenska",
        "page": "New gåme",
        "offered by the page": "Svenska",
        "voice": "sv",
    }
    assert answer["drawn"]
    assert not answer["missing"]


@pytest.mark.slow
def test_further_language_is_held_to_what_all_are_held_to(tree: Tree) -> None:
    """Complete, short enough, with a voice, and in letters that the display has."""
    files = (
        "tests/words",
        "tests/screens/test_text.py",
        "tests/screens/test_layout.py",
        "tests/devices/test_speech.py",
    )
    asked = "(sv or every_language) and not further"
    done = tree.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", asked, *files)
    assert int(re.findall(r"(\d+) passed", done)[0]) > 20
    assert "failed" not in done


@pytest.mark.slow
def test_further_language_takes_the_files_that_the_recipe_names(tree: Tree) -> None:
    """What `make words` brings up to date besides is the page on the configuration."""
    recipe = (ROOT / "docs" / "changing.md").read_text(encoding="utf-8").partition("## A language\n")[2]
    named = {name.replace("*", "sv") for name in re.findall(r"`((?:quarto_pi|docs)/[\w./*]+)`", recipe)}
    assert set(tree.changed()) == named == {*BY_HAND, CATALOGUE, "docs/configuration.md"}
