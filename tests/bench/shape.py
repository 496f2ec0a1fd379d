"""The shape of the code: modules and their lengths, names that stand twice, imports between packages, and a walk.

The walk is a piece's, from its tag to the display: it is given on a simulated board with a display and lights, and all
modules are counted in which a function is called meanwhile, those of the simulation below left out.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from types import FrameType

from quarto_pi.config import parse_config
from tests.bench.measure import table
from tests.evening import Evening
from tests.top_level_names import homonyms

PACKAGE = Path(__file__).parent.parent.parent / "quarto_pi"
WALKED_BELOW = ("simulation",)


def run() -> None:
    """Count and print."""
    files = sorted(path for path in PACKAGE.rglob("*.py"))
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    walked = walk()
    doubled = homonyms(PACKAGE)
    rows = [
        ["modules", str(len(files))],
        ["lines, the median module's", f"{median(lengths):.0f}"],
        ["lines, the longest module's", str(max(lengths))],
        ["modules longer than 350 lines", str(sum(length > 350 for length in lengths))],
        ["public names that stand in more than one module", str(len(doubled))],
        ["modules that call each other in a ring", str(sum(map(len, rings(files))))],
        ["modules on a piece's walk from its tag to the display", str(len(walked))],
    ]
    table("The shape of the package", ["", ""], rows)
    print("\n" + "\n".join(f"{name}: {', '.join(sorted(where))}" for name, where in sorted(doubled.items())))
    imports = Counter((here, there) for here, there in _imports_between(files) if here != there)
    sources = sorted({here for here, _ in imports})
    rows = [
        [source, ", ".join(f"{there} {count}" for (here, there), count in sorted(imports.items()) if here == source)]
        for source in sources
    ]
    table("Imports between packages", ["package", "imports from"], rows)
    print("\nThe walk: " + ", ".join(walked))


def rings(files: list[Path]) -> list[list[str]]:
    """The groups of modules of which each imports another one of its group when it is imported, directly or not."""
    graph = {_name(path): set(_imported_by(path)) for path in files}
    reached = {name: _reach(name, graph) for name in graph}
    left, found = sorted(graph), []
    while left:
        name = left.pop(0)
        ring = [other for other in left if other in reached[name] and name in reached[other]]
        if ring:
            found.append([name, *ring])
            left = [other for other in left if other not in ring]
    return found


def walk() -> list[str]:
    """The modules in which a function is called while a piece is given, from its reader to the display."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(frame.f_code.co_filename)

    with ExitStack() as stack:
        evening = Evening(stack, parse_config("[oled]\n[panel_lights]\n[square_lights]\n"))
        evening.wait(2_000)
        sys.setprofile(note)
        try:
            evening.put("LTRF", "offer")
        finally:
            sys.setprofile(None)
    inside = [Path(name) for name in called if Path(name).is_relative_to(PACKAGE)]
    return sorted(name for name in map(_name, inside) if not name.startswith(WALKED_BELOW))


def _reach(name: str, graph: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for other in graph[waiting.pop()] & graph.keys() - reached:
            reached.add(other)
            waiting.append(other)
    return reached


def _imports_between(files: list[Path]) -> Iterator[tuple[str, str]]:
    for path in files:
        here = _package(_name(path))
        yield from ((here, _package(name)) for name in _imported_by(path))


def _imported_by(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE.name):
            module = (node.module or "").removeprefix(PACKAGE.name).lstrip(".")
            for alias in node.names:
                platform = f"{module}.{alias.name}".lstrip(".")
                yield platform if _is_module(platform) else module


def _is_module(name: str) -> bool:
    path = PACKAGE / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def _name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")


def _package(name: str) -> str:
    return name.partition(".")[0] or PACKAGE.name
