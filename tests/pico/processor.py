"""The time that a Pico's processor takes: what the firmware does, counted while it runs, times what each step costs.

Before each statement a copy of the firmware says what the statement costs; the simulated clock goes on by as much. The
costs are those of an RP2040 at 125 MHz with MicroPython 1.28, emulated cycle by cycle: a call of a Python function
takes 9 us, an exchange of two bytes with a reader 87 us, 37 of them on the wire, a look at the buttons 130 us. What
whole sweeps of an older firmware took there, 161 to 274 ms, is `BEFORE_MS` in `measuring`; `PER_CENT` makes this agree
with it.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

FUNCTION_NS: Final = 6_000  # of a call of a Python function, what a call of one in C does not take: 9 us together
CALL_NS: Final = 3_000
LOCAL_NS: Final = 450
GLOBAL_NS: Final = 1_000
ATTRIBUTE_NS: Final = 1_300
STORED_ATTRIBUTE_NS: Final = 1_700
SUBSCRIPT_NS: Final = 1_500
OPERATION_NS: Final = 900
JUMP_NS: Final = 500
ITERATION_NS: Final = 1_800
PER_CENT: Final = 140
"""What a whole sweep takes of the processor, in hundredths of what its steps take: USB and interrupts come on top."""

# what a call of one of these takes besides, in nanoseconds
BESIDES: Final = {
    "mem_free": 4_500_000,  # goes through the whole heap
    "collect": 8_000_000,
    "crc32": 40_000,  # of a frame
    "write_readinto": 3_000,
    "write": 3_000,
    "pack_into": 4_000,
    "ipoll": 4_000,
    "find": 8_000,
}


@cache
def counted(source: str) -> str:
    """The same program, which spends what each statement costs before it does it."""
    tree = ast.parse(source)
    _Counting().visit(tree)
    position = 1 if ast.get_docstring(tree) is not None else 0
    tree.body.insert(position, ast.parse("from _board import spend as _spend").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def slow_down(flash: Path) -> None:
    """Have the firmware in this folder take the time that it takes on a Pico."""
    for module in (flash / "quarto_pi" / "firmware").glob("*.py"):
        module.write_text(counted(module.read_text(encoding="utf-8")), encoding="utf-8")


class _Counting(ast.NodeTransformer):
    """Puts `_spend` before the statements of all functions."""

    def __init__(self) -> None:
        self._locals: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        outside = self._locals
        arguments = {argument.arg for argument in node.args.args}
        stored = {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        self._locals = arguments | stored
        docstring = node.body[:1] if ast.get_docstring(node) is not None else []
        node.body = [*docstring, *self._block(node.body[len(docstring) :], FUNCTION_NS)]
        self._locals = outside
        return node

    def _block(self, body: list[ast.stmt], first: int = 0) -> list[ast.stmt]:
        """A block's statements with what they cost before them; neighbours that always run together say it together."""
        counted: list[ast.stmt] = []
        due = first
        for statement in body:
            due += self._cost(statement)
            if isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)) and not _takes_time(
                statement
            ):
                counted.append(statement)
                continue
            if due:
                counted.append(_spending(due))
                due = 0
            counted.append(self._inside(statement))
        if due:
            counted.append(_spending(due))
        return counted

    def _inside(self, statement: ast.stmt) -> ast.stmt:
        match statement:
            case ast.For():
                statement.body = self._block(statement.body, ITERATION_NS)
            case ast.While():
                statement.body = self._block(statement.body, self._of(statement.test) + JUMP_NS)
            case ast.If():
                statement.body = self._block(statement.body)
                statement.orelse = self._block(statement.orelse)
            case ast.Try():
                statement.body = self._block(statement.body)
                for handler in statement.handlers:
                    handler.body = self._block(handler.body)
                statement.finalbody = self._block(statement.finalbody)
            case ast.With():
                statement.body = self._block(statement.body)
            case _:
                pass
        return statement

    def _cost(self, statement: ast.stmt) -> int:
        """What a statement costs without the blocks in it."""
        match statement:
            case ast.For():
                return self._of(statement.iter) + JUMP_NS
            case ast.While() | ast.If():
                return self._of(statement.test) + JUMP_NS
            case ast.Try() | ast.With():
                return JUMP_NS
            case ast.FunctionDef() | ast.ClassDef():
                return 0
            case ast.AugAssign():
                # the target is read and written
                return self._of(statement) + self._of(statement.target)
            case ast.AnnAssign():
                return self._of(statement.target) + (self._of(statement.value) if statement.value else 0)
            case _:
                return self._of(statement)

    def _of(self, tree: ast.AST) -> int:
        return sum(map(self._of_node, ast.walk(tree)))

    def _of_node(self, node: ast.AST) -> int:
        match node:
            case ast.Name():
                return LOCAL_NS if node.id in self._locals else GLOBAL_NS
            case ast.Constant():
                return LOCAL_NS
            case ast.Attribute():
                return STORED_ATTRIBUTE_NS if isinstance(node.ctx, ast.Store) else ATTRIBUTE_NS
            case ast.Subscript():
                return SUBSCRIPT_NS
            case ast.BinOp() | ast.UnaryOp() | ast.Compare():
                return OPERATION_NS
            case ast.BoolOp() | ast.IfExp():
                return JUMP_NS
            case ast.Call():
                return CALL_NS + BESIDES.get(_name_of(node.func), 0)
            case ast.Return():
                return JUMP_NS
            case _:
                return 0


def _name_of(function: ast.expr) -> str:
    match function:
        case ast.Attribute():
            return function.attr
        case ast.Name():
            return function.id
    return ""


def _takes_time(statement: ast.stmt) -> bool:
    """Whether a statement calls something, which looks at the clock perhaps: what was due is spent before it."""
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))


def _spending(nanoseconds: int) -> ast.stmt:
    return ast.parse(f"_spend({nanoseconds * PER_CENT // 100})").body[0]
