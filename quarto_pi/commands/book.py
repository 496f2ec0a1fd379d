"""`quarto-pi book`: make the opening book anew, or make sure of it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from random import Random
from typing import Final

from quarto_pi.commands.command import Command
from quarto_pi.commands.options import whole_number
from quarto_pi.engine.book import (
    BOOK_FILE,
    BOOK_VARIANTS,
    BookDamaged,
    Effort,
    make_section,
    read_book,
    variant_name,
    write_book,
    wrong_positions,
)


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `book` can be asked for."""
    parser.add_argument("work", choices=("build", "verify"), help="build: write the book; verify: compare it")
    parser.add_argument("--file", type=Path, default=BOOK_FILE, help="the book (default: the one that is installed)")
    parser.add_argument("--sample", type=whole_number(0, 2**32), metavar="SEED", help="verify only a random sample")
    parser.add_argument("--table-mb", type=whole_number(1, 16384), default=1024, metavar="N", help="a process (1024)")
    parser.add_argument("--workers", type=whole_number(1, 256), default=os.cpu_count() or 1, metavar="N")


def _run(arguments: argparse.Namespace) -> int:
    """Build or verify; 1 if a value is wrong or the book cannot be read."""
    effort = Effort(arguments.table_mb, arguments.workers, _tell)
    if arguments.work == "build":
        write_book(arguments.file, {variant: make_section(variant, effort) for variant in BOOK_VARIANTS})
        print(f"{arguments.file}: {arguments.file.stat().st_size} bytes")
        return 0
    try:
        sections = read_book(arguments.file)
    except BookDamaged as error:
        print(f"quarto-pi book: {error} Make it anew with 'quarto-pi book build'.", file=sys.stderr)
        return 1
    sample = None if arguments.sample is None else Random(arguments.sample)  # noqa: S311 - repeatable on purpose
    wrong = 0
    for variant, section in sections.items():
        for laid in wrong_positions(variant, section, sample, effort):
            wrong += 1
            print(f"{variant_name(variant)}: wrong value for {laid}")
        print(f"{variant_name(variant)}: {section.positions} positions, {wrong} wrong so far")
    return 1 if wrong else 0


def _tell(line: str) -> None:
    print(f"\r{line}" if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr)


BOOK_COMMAND: Final = Command("book", "make the opening book anew, or work it out again and compare", _options, _run)
