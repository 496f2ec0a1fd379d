"""The circuit in SKiDL: its electrical rule check, and the netlist that KiCad reads.

No library of KiCad is needed: the parts are made from the description, with their pins and footprints.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

from hardware.description import PartKind, PinKind
from hardware.levels import FROM_THE_PLUG
from hardware.wiring import GROUND, Wiring

_POWERED: Final = ("3V3", GROUND, *FROM_THE_PLUG)
"""The nets that something feeds: SKiDL cannot see it, because it comes through a fuse, a transistor or a cable."""
_FUNCTIONS: Final = {
    PinKind.IN: "INPUT",
    PinKind.OUT: "OUTPUT",
    PinKind.TRISTATE: "TRISTATE",
    PinKind.IO: "BIDIR",
    PinKind.OPEN: "UNSPEC",
    PinKind.PASSIVE: "PASSIVE",
    PinKind.SUPPLY: "PWRIN",
    PinKind.SOURCE: "PWROUT",
    PinKind.GROUND: "PWRIN",
}
_OF_THIS_RUN: Final = re.compile(r'\n +\((?:date|source|tool) "[^"]*"\)')
_SAID_TWICE: Final = ("title_block", "fields")
"""Lists of SKiDL's that are empty here, or say again what stands beside them."""


def netlist_text(wiring: Wiring) -> str:
    """The netlist for KiCad's board editor, without the date and the folder of the run that made it."""
    skidl = _skidl()

    def make() -> str:
        return str(_circuit(wiring).generate_netlist(tool=skidl.KICAD8, do_backup=False))

    # SKiDL looks through the whole stack for each part and net: a thread of its own has a short one.
    with _aside(), ThreadPoolExecutor(1) as thread:
        text = thread.submit(make).result()
    text = _OF_THIS_RUN.sub("", text)
    for name in _SAID_TWICE:
        text = _without(text, name)
    return text.rstrip() + "\n"


def _without(text: str, name: str) -> str:
    """A netlist without the lists of that name."""
    before, found, rest = text.partition(f"({name}\n")
    if not found:
        return text
    depth = 1
    for index, letter in enumerate(rest):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return before.rstrip() + _without(rest[index + 1 :], name)
    raise ValueError(f"the list {name} has no end.")


def electrical_complaints(wiring: Wiring) -> list[str]:
    """What SKiDL's electrical rule check says: nothing, where all is well."""
    _skidl()
    told = _Listener()
    logger = logging.getLogger("ERC_Logger")
    logger.addHandler(told)
    try:
        with _aside(), ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: _circuit(wiring).ERC()).result()
    finally:
        logger.removeHandler(told)
    return sorted(told.sentences)


def _circuit(wiring: Wiring) -> Any:  # noqa: ANN401 # SKiDL has no types
    skidl = _skidl()
    circuit = skidl.Circuit(name=wiring.profile.name)
    circuit.no_files = True
    circuit.track_src = False
    circuit.track_abs_path = False
    nets = {name: skidl.Net(name, circuit=circuit) for name in wiring.nets}
    for name in _POWERED:
        if name in nets:
            nets[name].drive = skidl.POWER
    for part in wiring.parts:
        made = _part(part.kind, part.ref, part.value or part.kind.name, circuit)
        for pin in part.kind.pins:
            net = part.net(pin)
            (circuit.NC if net is None else nets[net]).connect(made[f"p{pin.number}"])
    return circuit


def _part(kind: PartKind, ref: str, value: str, circuit: object) -> Any:  # noqa: ANN401 # SKiDL has no types
    skidl = _skidl()
    pins = [
        # Several pins may have one name, their numbers are their own.
        skidl.Pin(
            num=pin.number,
            name=pin.name,
            func=getattr(skidl.Pin.types, _FUNCTIONS[pin.kind]),
            aliases=[f"p{pin.number}"],
        )
        for pin in kind.pins
    ]
    part = skidl.Part(
        name=kind.key,
        tool=skidl.SKIDL,
        dest=skidl.TEMPLATE,
        pins=pins,
        footprint=kind.footprint,
        ref_prefix="U",
        description=kind.name,
    )
    return part(circuit=circuit, ref=ref, value=value, tag=ref)


class _Listener(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.sentences: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        self.sentences.append(record.getMessage())


@cache
def _skidl() -> Any:  # noqa: ANN401 # SKiDL has no types
    with _aside():
        import skidl  # noqa: PLC0415 # it looks for libraries and opens logs in the folder of the moment

        skidl.logger.stop_log_file_output()
        return skidl


@contextlib.contextmanager
def _aside() -> Iterator[None]:
    """Keep what SKiDL writes to the screen and to the folder of the moment away from both."""
    before = os.getcwd()  # noqa: PTH109 # to be changed back to
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
