"""Every page says what is there: its links lead somewhere, and its commands, targets, modules and files exist."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from quarto_pi.cli import build_parser

ROOT = Path(__file__).parent.parent
FILES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/*.md")]
PAGES = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in sorted(FILES)}
TARGETS = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
INCOMPLETE = re.compile(r"required|expected")
"""Of a command that is only named: `quarto-pi replay`."""


def code_of(page: str) -> Iterator[str]:
    """What stands on a page as code: in a line, or in a block of its own."""
    text = PAGES[page]
    for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
        # What a command prints, or is for, stands some way behind it.
        yield from (re.split(r"\s{2,}|\s#", line.strip().removeprefix("$ "))[0] for line in block.splitlines())
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_of_a_page_leads_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    linked = [target for target in re.findall(r"\]\(([^)#]+)", PAGES[page]) if "://" not in target]
    assert [target for target in linked if not (folder / target).exists()] == []


def test_every_picture_that_is_kept_is_on_some_page() -> None:
    linked = {
        ((ROOT / page).parent / target).resolve()
        for page, text in PAGES.items()
        for target in re.findall(r"\]\(([^)#]+)", text)
        if "://" not in target
    }
    pictures = {
        file.resolve()
        for folder in ("docs", "hardware", "tests", "firmware", "systemd")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".png", ".svg", ".jpg", ".gif")
    }
    assert len(pictures) > 20
    assert sorted(str(file.relative_to(ROOT)) for file in pictures - linked) == []


def anchors_of(page: str) -> set[str]:
    """The names of a page's headings, as a link names them."""
    headings = re.findall(r"^#+ (.*)$", PAGES[page], re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_into_a_page_leads_to_one_of_its_headings(page: str) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", PAGES[page]):
        there = str(((ROOT / page).parent / target).resolve().relative_to(ROOT)) if target else page
        assert anchor in anchors_of(there), (there, anchor)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_is_understood(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = []
    for command in code_of(page):
        words = shlex.split(command.removeprefix("sudo ").replace("[", "").replace("]", ""))
        if words[:1] != ["quarto-pi"]:
            continue
        try:
            build_parser().parse_args(words[1:])
        except SystemExit as end:
            if end.code and not INCOMPLETE.search(capsys.readouterr().err):
                wrong.append(command)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
def test_every_target_of_a_page_exists(page: str) -> None:
    named = {match[1] for code in code_of(page) if (match := re.match(r"make ([a-z-]+)", code))}
    assert named <= set(TARGETS)


@pytest.mark.parametrize("page", PAGES)
def test_every_module_of_the_tests_that_a_page_runs_exists(page: str) -> None:
    named = {match[1] for code in code_of(page) if (match := re.match(r"python -m (tests[\w.]*)", code))}
    places = [ROOT / name.replace(".", "/") for name in named]
    assert [at for at in places if not (at / "__main__.py").exists() and not at.with_suffix(".py").exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_folder_of_the_project_that_a_page_names_exists(page: str) -> None:
    ours = re.compile(r"(?:quarto_pi|firmware|hardware|systemd|tests|docs)/[\w./-]*\w")
    assert [code for code in code_of(page) if ours.fullmatch(code) and not (ROOT / code).exists()] == []


def test_these_pages_have_something_to_look_at() -> None:
    code = [each for page in PAGES for each in code_of(page)]
    for beginning in ("quarto-pi ", "make ", "python -m tests", "tests/"):
        assert sum(each.startswith(beginning) for each in code) >= 10, beginning
