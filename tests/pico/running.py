"""A Pico that works by itself, for what is a program with a time of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.pico.underneath import OnAPico


@contextmanager
def running(under: OnAPico) -> Iterator[None]:
    """Let the Pico work by itself, while this thread does something else."""
    stop = threading.Event()
    under.pico.cable.in_step = False

    def work() -> None:
        while not stop.is_set():
            under.pico.run_until(under.board.clock.now() + 5_000)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
