"""Make everything that is made from the description, or the models as STEP and STL."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hardware.making import MADE, ROOT, Outcome, make_all


def main() -> int:
    """Make what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("all", "models"), default="all", help="default: all but the models")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "models", help="where models go")
    arguments = parser.parse_args()
    if arguments.what == "models":
        from hardware.models import export_models  # noqa: PLC0415 # the CAD library takes seconds to start

        for file in export_models(arguments.folder):
            print(file)
        return 0
    outcome: Outcome = make_all()
    for sentence in outcome.complaints:
        print(sentence, file=sys.stderr)
    print(f"{len(outcome.changed)} of {outcome.files} files changed in {MADE.relative_to(ROOT)} and beside it")
    return 1 if outcome.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
