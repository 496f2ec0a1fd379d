"""Imports point inward: each package may import only itself and the packages named here."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.top_level_names import homonyms, names_in

PACKAGE = Path(__file__).parent.parent / "quarto_pi"

ALLOWED = {
    "languages": set(),
    "rules": set(),
    "engine": {"rules"},
    "clock": set(),
    "files": set(),
    "firmware": set(),
    "sensing": {"rules"},
    "referee": {"languages", "rules", "sensing", "remote_play"},
    "enrolment": {"languages", "rules", "sensing", "referee"},
    "words": {"languages", "rules", "sensing", "referee", "enrolment", "first_start"},
    "screens": {"languages", "rules", "sensing", "referee", "words", "enrolment", "first_start"},
    "trace": {"rules", "sensing", "referee"},
    "journal": {"files", "rules", "referee", "trace"},
    "web": {
        "languages",
        "rules",
        "sensing",
        "referee",
        "words",
        "screens",
        "trace",
        "engine",
        "enrolment",
        "first_start",
    },
    "service": {"referee"},
    "chain": {"rules"},
    "remote_play": {"rules", "chain"},
    "hub": {"chain", "config", "files", "journal", "referee", "rules", "tournament", "web", "words"},
    "tournament": {"rules"},
    "simulation": {"sensing", "first_start"},
    "devices": {"rules", "sensing", "clock", "firmware"},
    "config": {"chain", "files", "languages", "rules", "sensing", "devices", "firmware", "referee"},
    "first_start": {"chain", "files", "languages", "rules", "config"},
    "known_time": {"files", "rules"},
    "notices": {"files", "referee"},
    "updates": {"files"},
    "outputs": {
        "chain",
        "rules",
        "sensing",
        "referee",
        "enrolment",
        "words",
        "devices",
        "screens",
        "trace",
        "web",
        "first_start",
    },
    "controller": {
        "rules",
        "engine",
        "sensing",
        "referee",
        "enrolment",
        "clock",
        "devices",
        "trace",
        "first_start",
        "chain",
        "remote_play",
    },
    "wiring": {
        "chain",
        "files",
        "first_start",
        "known_time",
        "notices",
        "updates",
        "rules",
        "engine",
        "sensing",
        "referee",
        "enrolment",
        "trace",
        "clock",
        "devices",
        "simulation",
        "config",
        "journal",
        "web",
        "outputs",
        "controller",
        "service",
    },
    "checks": {
        "chain",
        "languages",
        "rules",
        "engine",
        "sensing",
        "referee",
        "words",
        "devices",
        "firmware",
        "web",
        "config",
        "files",
        "journal",
        "notices",
        "wiring",
    },
    "terminal": {"rules", "engine", "referee", "words"},
    "commands": {
        "chain",
        "first_start",
        "known_time",
        "notices",
        "languages",
        "rules",
        "engine",
        "referee",
        "sensing",
        "enrolment",
        "simulation",
        "terminal",
        "config",
        "devices",
        "files",
        "checks",
        "trace",
        "words",
        "web",
        "journal",
        "controller",
        "wiring",
        "service",
        "updates",
        "hub",
    },
    "cli": {"rules", "engine", "commands"},
    "__main__": {"cli"},
    "__init__": set(),
}
"""What each part may import besides itself; a part that is not named here fails the test."""

PURE = {"rules", "sensing", "referee", "enrolment", "remote_play", "tournament"}
"""Packages that import the standard library only, and of it nothing that knows the time or the outside."""

OUTSIDE = {
    "time",
    "datetime",
    "threading",
    "asyncio",
    "logging",
    "random",
    "os",
    "io",
    "socket",
    "subprocess",
    "pathlib",
}

OPTIONAL = (
    "RPi",
    "gpiozero",
    "lgpio",
    "luma",
    "paho",
    "mfrc522",
    "paho",
    "PIL",
    "psycopg",
    "segno",
    "serial",
    "smbus2",
    "spidev",
    "starlette",
    "tomlkit",
    "uvicorn",
)

# The firmware stands in a folder of its own, to which a link leads that `rglob` does not follow.
MODULES = sorted({*PACKAGE.rglob("*.py"), *(PACKAGE / "firmware").glob("*.py")})


def part_of(module: Path) -> str:
    """The package directly below `quarto_pi`, or the module there."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_layer_allows(module: Path) -> None:
    part = part_of(module)
    assert part in ALLOWED, f"{part} has no place in the layers yet"
    inner = {name.split(".")[1] for name in names_in(module).imported if name.startswith("quarto_pi.")}
    assert inner - {part, "__version__"} <= ALLOWED[part]


@pytest.mark.parametrize("part", sorted(PURE))
def test_a_pure_package_knows_neither_time_nor_the_outside(part: str) -> None:
    for module in (PACKAGE / part).rglob("*.py"):
        outer = {name.split(".")[0] for name in names_in(module).imported} - {"quarto_pi"}
        assert outer <= set(sys.stdlib_module_names), f"{module.name} imports {outer}"
        assert not outer & OUTSIDE, f"{module.name} imports {outer & OUTSIDE}"


def test_every_command_can_be_asked_for_without_any_package_that_only_some_boards_have() -> None:
    """A missing one is named by the command that needs it, and nobody waits for what he does not use."""
    commands = [f"quarto_pi.commands.{path.stem}" for path in (PACKAGE / "commands").glob("[a-z]*.py")]
    without = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL}))"
    program = f"{without}; import quarto_pi.cli, {', '.join(sorted(commands))}"
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - this Python


def test_every_layer_that_is_named_exists() -> None:
    assert {part_of(module) for module in MODULES} == set(ALLOWED)


@pytest.mark.parametrize(
    "package", sorted(path.parent for path in PACKAGE.rglob("__init__.py")), ids=lambda path: path.name
)
def test_the_first_page_of_a_package_has_a_place_for_each_of_its_modules(package: Path) -> None:
    """One that has more than a few; `commands` has its list in `--help`."""
    there = {path.stem for path in package.glob("[a-z]*.py")} | {
        path.parent.name for path in package.glob("*/__init__.py")
    }
    if package.name in ("quarto_pi", "firmware", "commands") or len(there) < 4:
        return
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    page = ast.get_docstring(tree, clean=False) or ""
    rows = re.findall(r"(?m)^(?:    |\| )?((?:`?[a-z_0-9]+`?, )*`?[a-z_0-9]+`?)(?:  | \|)", page)
    named = {name for row in rows for name in row.replace("`", "").split(", ")}
    assert named - {"module"} == there


def test_a_public_name_stands_in_one_module() -> None:
    """Who searches for a name finds one definition."""
    assert homonyms(PACKAGE) == {}


def test_a_docstring_begins_with_what_it_is_about() -> None:
    """ "So long ..." and "Whoever ..." make one read to the end before one knows what is meant."""
    begins = re.compile(r'"""(So long|So often|Whoever|Whatever) ')
    found = [
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for match in begins.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_names_that_stand_twice_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "one.py").write_text("class Twice: ...\nLIMIT: int = 1\n_OWN = 1\nAlias = int\ndef once(): ...\n")
    (tmp_path / "two.py").write_text("Twice = int\nLIMIT = 2\n_OWN = 2\nfrom inner.one import Alias as Alias\n")
    assert homonyms(tmp_path) == {"Twice": {"inner.one", "two"}, "LIMIT": {"inner.one", "two"}}
