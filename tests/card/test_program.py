import sys
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from card_build.cache import Cache, key_of
from card_build.make import package_list
from card_build.program import COMPILED, NotLoadedError, load_compiled, requirements_by_kind

PINS = Path(__file__).parents[2] / "systemd" / "requirements-pi5.txt"


def test_every_pinned_package_is_fetched_once_as_a_wheel_or_to_be_compiled() -> None:
    wheels, compiled = requirements_by_kind(PINS.read_text(encoding="utf-8"))
    pinned = [line for line in PINS.read_text(encoding="utf-8").splitlines() if "==" in line]
    lines = (wheels + compiled).splitlines()
    assert len([line for line in lines if "==" in line]) == len(pinned)
    assert [line.partition("==")[0] for line in compiled.splitlines() if "==" in line] == list(COMPILED)


def test_no_checksum_is_lost_and_no_condition_kept() -> None:
    """pip would hold a condition against its own Python, and not against the card's."""
    text = PINS.read_text(encoding="utf-8")
    wheels, compiled = requirements_by_kind(text)
    assert (wheels + compiled).count("--hash=sha256:") == text.count("--hash=sha256:")
    assert ";" not in wheels + compiled


def test_what_was_made_is_made_again_only_when_something_it_depends_on_has_changed(tmp_path: Path) -> None:
    made: list[str] = []
    cache = Cache(tmp_path / "kept", lambda sentence: None)  # noqa: ARG005 - nobody listens

    def make(content: str) -> Path:
        def write(path: Path) -> None:
            made.append(content)
            path.write_text(content, encoding="ascii")

        return cache.file("thing.tar", key_of((content,)), write)

    assert make("one") == make("one")
    assert make("two").read_text(encoding="ascii") == "two"
    assert made == ["one", "two"]
    assert len(list((tmp_path / "kept").iterdir())) == 1, "what is older is not kept"


def test_what_was_cut_off_is_not_taken_for_made(tmp_path: Path) -> None:
    cache = Cache(tmp_path, lambda sentence: None)  # noqa: ARG005 - nobody listens

    def interrupted(path: Path) -> None:
        path.write_text("half", encoding="ascii")
        raise KeyboardInterrupt

    def whole(path: Path) -> None:
        path.write_text("whole", encoding="ascii")

    with suppress(KeyboardInterrupt):
        cache.file("thing", "k", interrupted)
    assert cache.file("thing", "k", whole).read_text(encoding="ascii") == "whole"


def test_the_list_of_packages_names_each_with_its_version() -> None:
    status = (
        "Package: b\nStatus: install ok installed\nVersion: 2-1\nDescription: x\n more: y\n\nPackage: a\nVersion: 1\n"
    )
    assert package_list(status) == "a 1\nb 2-1\n"


def test_a_compiled_module_that_does_not_load_ends_the_build_and_is_named(tmp_path: Path) -> None:
    """A card whose pins could not be driven was made once: its module loaded nowhere, and nobody had tried."""
    (tmp_path / f"_pins{EXTENSION_SUFFIXES[0]}").write_bytes(b"half of it")
    python = ("env", f"PYTHONPATH={tmp_path}", sys.executable)
    load_compiled(python, ("math", "json"))
    with pytest.raises(NotLoadedError, match=r"^What was compiled for a Pi does not load: ImportError: .*_pins"):
        load_compiled(python, ("math", "_pins"))
