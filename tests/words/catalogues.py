"""The catalogues of translations: extracted from the sources and brought up to date, always in the same bytes.

Babel would write dates and its own name into every file; here a file changes only when its words do. Whatever stands
above the first message of a .po file, the glossary and the header, is the translator's and is kept as it is.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from quarto_pi.languages import LANGUAGE_NAMES, LANGUAGES
from quarto_pi.words.catalogue import DOMAIN, LOCALE_FOLDER, SOURCE
from quarto_pi.words.compiling import compile_one

SOURCES = LOCALE_FOLDER.parent
CONFIGURATION = Path(__file__).parents[2] / "docs" / "configuration.md"
TEMPLATE = LOCALE_FOLDER / f"{DOMAIN}.pot"
TRANSLATED = tuple(language for language in LANGUAGES if language != SOURCE)

KEYWORDS = {"gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}

TEMPLATE_HEAD = """\
# All that the board says. Made from the sources by `make words`; the context of a message says which form is meant.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"""


HEAD = """\
# {name}: the words of the board.
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"
"""


def po_path(language: str) -> Path:
    """Where a language's translations are written."""
    return LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_path(language: str) -> Path:
    """Where a language's compiled catalogue stands."""
    return po_path(language).with_suffix(".mo")


@cache
def extracted() -> Catalog:
    """All messages of the sources, in the order of the modules' names; nobody changes them."""
    catalog = Catalog()
    found = extract_from_dir(SOURCES, method_map=[("**.py", "python")], keywords=KEYWORDS)
    for name, line, message, comments, context in sorted(found, key=lambda each: (each[0], each[1])):
        catalog.add(message, None, [(name, line)], auto_comments=comments, context=context)
    return catalog


def begin(language: str) -> None:
    """Write the catalogue of a language that has none yet: nothing but its header, with the language's own plurals."""
    plurals = Catalog(locale=language).plural_forms
    po_path(language).parent.mkdir(parents=True)
    po_path(language).write_text(HEAD.format(name=LANGUAGE_NAMES[language], language=language, plurals=plurals))


def read(language: str) -> Catalog:
    """A language's translations."""
    with po_path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


@cache
def kept(language: str) -> Catalog:
    """A language's translations for all who only look at them."""
    return read(language)


def messages(catalog: Catalog) -> Iterator[Message]:
    """The messages of a catalogue without its header."""
    return (message for message in catalog if message.id)


def head_of(text: str) -> str:
    """What stands above the first message: comments and header."""
    return text.split("\n\n", 1)[0].rstrip("\n") + "\n"


def body_of(catalog: Catalog) -> str:
    """The messages of a catalogue as text."""
    file = io.BytesIO()
    write_po(file, catalog, width=120, omit_header=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue().decode("utf-8")


def template() -> str:
    """The text of the template."""
    return f"{TEMPLATE_HEAD}\n{body_of(extracted())}"


def updated(language: str) -> str:
    """The text of a language's translations with the messages of the sources as they are now."""
    catalog = read(language)
    catalog.update(extracted(), no_fuzzy_matching=True)
    return f"{head_of(po_path(language).read_text(encoding='utf-8'))}\n{body_of(catalog)}"


def documented() -> str:
    """The page on the configuration with all languages in its list of them."""
    listed = f"languages = {json.dumps(LANGUAGES)}"
    return re.sub(r"^languages = \[.*?\]", listed, CONFIGURATION.read_text(encoding="utf-8"), flags=re.MULTILINE)


def bring_up_to_date() -> Iterator[str]:
    """Extract, update and compile; tells what is still to be translated."""
    CONFIGURATION.write_text(documented(), encoding="utf-8")
    TEMPLATE.write_text(template(), encoding="utf-8")
    for language in TRANSLATED:
        if not po_path(language).exists():
            begin(language)
        po_path(language).write_text(updated(language), encoding="utf-8")
        compile_one(po_path(language))
        empty = [message for message in messages(read(language)) if not all(strings(message))]
        yield f"{language}: {len(empty)} to translate" if empty else f"{language}: complete"


def strings(message: Message) -> tuple[str, ...]:
    """A message's translations: one, or one for each plural form."""
    return _each(message.string)


def ids(message: Message) -> tuple[str, ...]:
    """A message in English: one, or singular and plural."""
    return _each(message.id)


def _each(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())
