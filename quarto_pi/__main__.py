"""Where the command `quarto-pi` begins, also as `python -m quarto_pi`."""

from __future__ import annotations

import gc
import signal
import sys


def enter() -> int:
    """Run the command and return its exit code.

    Ctrl-C while modules are still read in, or once all is done, ends the program as the system does it, in silence:
    there is nothing yet, or nothing any more, that could be put in order or told.
    """
    # Whoever was started in the background ignores Ctrl-C, and goes on doing so.
    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What is read in stays: to look through it for garbage, again and again meanwhile, keeps people waiting.
    gc.disable()
    from quarto_pi.cli import main

    gc.freeze()
    gc.enable()
    try:
        if hears:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return main()
    finally:
        if hears:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(enter())
