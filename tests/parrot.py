"""A process to be forked: it says again what it hears, complains of nothing to say, and ends when nothing comes."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Say the arguments and a variable, and then each line."""
    print(*sys.argv[1:], os.environ.get("PARROT", ""), flush=True)
    for line in sys.stdin:
        if line.strip():
            print(line.strip(), flush=True)
        else:
            print("there is nothing to say", file=sys.stderr, flush=True)
    print("ends", flush=True)
