"""The public names at the top of modules, and those that stand in more than one."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path


def homonyms(package: Path) -> dict[str, set[str]]:
    """The public names that are defined in more than one module of a package, and where; imports do not count."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__")
        for name in public_names(path.read_text(encoding="utf-8")):
            found[name].add(module)
    return {name: where for name, where in found.items() if len(where) > 1}


def public_names(source: str) -> Iterator[str]:
    """The classes, functions, constants and aliases a module defines at its top, without those that begin with `_`."""
    for node in ast.parse(source).body:
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
