"""The public names at the top of modules, and those that stand in more than one."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path


def homonyms(package: Path) -> dict[str, set[str]]:
    """The public names that are defined in more than one module of a package, and where; imports do not count."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__")
        for name in names_in(path).public:
            found[name].add(module)
    return {name: where for name, where in found.items() if len(where) > 1}


@dataclass(frozen=True)
class Names:
    """What a module names: the modules that it imports, wherever in it that stands, and what it defines for others."""

    imported: frozenset[str]
    public: frozenset[str]


@cache
def names_in(module: Path) -> Names:
    """The names in a file, which is parsed once for all who ask."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return Names(frozenset(_imported(tree, module)), frozenset(_public(tree)))


def _imported(tree: ast.Module, module: Path) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} uses a relative import"
            source = f"{node.module}"
            # `from quarto_pi.rules import timing` may name a module: both readings are the same part.
            yield from (f"{source}.{alias.name}" if source == "quarto_pi" else source for alias in node.names)


def _public(tree: ast.Module) -> Iterator[str]:
    """The classes, functions, constants and aliases a module defines at its top, without those that begin with `_`."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))
