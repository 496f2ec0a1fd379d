"""Translations are compiled where quarto-pi is built: what gettext then reads is what Babel reads in the .po file."""

import io
import os
import re
import shutil
import subprocess
from gettext import GNUTranslations, c2py
from pathlib import Path

import pytest

from quarto_pi.commands.options import tell_missing_words
from quarto_pi.words.catalogue import missing_of
from quarto_pi.words.compiling import PoError, compile_all, compiled
from tests.words.catalogues import TRANSLATED, ids, kept, messages, po_path, strings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

HEADER = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""


def translations(text: str) -> GNUTranslations:
    return GNUTranslations(io.BytesIO(compiled(text)))


@pytest.mark.parametrize("language", TRANSLATED)
def test_gettext_finds_every_translation_that_babel_reads(language: str) -> None:
    catalogue = translations(po_path(language).read_text(encoding="utf-8"))
    plural = c2py(kept(language).plural_expr)
    for message in messages(kept(language)):
        english, said = ids(message), strings(message)
        if message.pluralizable:
            for number in range(30):
                assert catalogue.ngettext(english[0], english[1], number) == said[plural(number)]
        elif message.context is not None:
            assert catalogue.pgettext(message.context, english[0]) == said[0]
        else:
            assert catalogue.gettext(english[0]) == said[0]


def test_long_texts_and_signs_that_are_written_otherwise_come_through() -> None:
    text = HEADER + '\nmsgid ""\n"one\\n"\n"\\"two\\"\\t\\\\n"\nmsgstr ""\n"eins\\n"\n"\\"zwei\\"\\t\\\\n"\n'
    assert translations(text).gettext('one\n"two"\t\\n') == 'eins\n"zwei"\t\\n'


def test_what_is_only_guessed_or_not_translated_yet_is_left_in_english() -> None:
    text = HEADER + '\n#, fuzzy, python-format\nmsgid "guessed"\nmsgstr "geraten"\n\nmsgid "left"\nmsgstr ""\n'
    text += '\nmsgid "one"\nmsgid_plural "many"\nmsgstr[0] "eins"\nmsgstr[1] ""\n'
    catalogue = translations(text)
    assert [catalogue.gettext(each) for each in ("guessed", "left")] == ["guessed", "left"]
    assert catalogue.ngettext("one", "many", 1) == "one"


@pytest.mark.parametrize(
    ("added", "line"),
    [("msgid no quotes\n", 6), ('msgid "one"\nmsgstr "eins\n', 7), ('"lost"\n', 6), ("<<<<<<< HEAD\n", 6)],
    ids=["quotes", "end", "keyword", "conflict"],
)
def test_line_that_no_catalogue_has_is_named(added: str, line: int) -> None:
    with pytest.raises(PoError, match=rf"^de.po, line {line}: this is no line of a catalogue: "):
        compiled(f"{HEADER}\n{added}", "de.po")


def test_translation_of_nothing_is_named() -> None:
    with pytest.raises(PoError, match="a translation of nothing"):
        compiled(f'{HEADER}\nmsgstr "eins"\n')


def test_nothing_that_is_compiled_is_kept() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("these sources are no clone")
    listed = subprocess.run(  # noqa: S603 - arguments of our own
        ["git", "-C", ROOT, "ls-files", "*.mo"],  # noqa: S607
        check=True,
        capture_output=True,
    )
    assert listed.stdout == b""


def test_make_compiles_again_what_was_translated_since_and_nothing_else(tmp_path: Path) -> None:
    for file in ("Makefile", "quarto_pi/words/compiling.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, tmp_path / file)
    folder = Path("quarto_pi/words/locale")
    shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.mo"))
    catalogues = [str(folder / language / "LC_MESSAGES" / "quarto_pi.mo") for language in TRANSLATED]

    def made() -> list[str]:
        done = subprocess.run(  # noqa: S603 - a Makefile of our own
            ["make", "--no-print-directory", *catalogues],  # noqa: S607
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        )
        assert done.stderr == ""
        times = {name: (tmp_path / name).stat().st_mtime_ns for name in catalogues}
        new = [name for name in catalogues if times[name] != before.get(name)]
        before.update(times)
        return new

    before: dict[str, int] = {}
    assert made() == catalogues
    assert made() == []
    stale = tmp_path / catalogues[0]
    po = stale.with_suffix(".po")
    po.write_text(po.read_text(encoding="utf-8") + '\nmsgid "new"\nmsgstr "neu"\n', encoding="utf-8")
    # Older than what was just written, however soon that was: a time to come would be complained about.
    before[catalogues[0]] -= 1_000_000_000
    os.utime(stale, ns=(before[catalogues[0]],) * 2)
    assert made() == [catalogues[0]]
    with stale.open("rb") as catalogue:
        assert GNUTranslations(catalogue).gettext("new") == "neu"


def test_every_target_that_runs_the_program_waits_for_the_catalogues() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    set_up = "\nto-play to-check to-test to-fuzz:\n\t@PYTHON=$(PYTHON) .ci/set-up $(@:to-%=%)\n"
    assert f"{set_up}\t@$(MAKE) --silent $(CATALOGUES)\n" in makefile
    runs = re.findall(r"(?m)^([a-z-]+):(.*)\n(?:\t@?\$\((?:RUN|PYTEST)\))", makefile)
    assert len(runs) > 15
    assert all("to-" in needs for _, needs in runs)


def test_missing_catalogues_are_told_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for language in ("de", "lt"):
        copy = tmp_path / language / "LC_MESSAGES" / "quarto_pi.po"
        copy.parent.mkdir(parents=True)
        shutil.copy(po_path(language), copy)
    missing = missing_of(("en", "de", "lt"), tmp_path)
    assert str(missing) == "no catalogue for de, lt: English stands in"
    assert missing is not None
    assert missing.fix == "python -m quarto_pi.words.compiling"
    compile_all(tmp_path)
    assert missing_of(("en", "de", "lt"), tmp_path) is None
    tell_missing_words(tmp_path)
    said = capsys.readouterr().err
    assert said.startswith("quarto-pi: no catalogue for fr, nl, zh_TW, es, it, pt: English stands in.")
    assert said.endswith("To mend it: install quarto-pi again.\n")


def test_nothing_is_told_where_no_catalogue_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    tell_missing_words()
    assert capsys.readouterr().err == ""
