"""The kernel in both worlds: as it is installed here, and interpreted from the same source."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from quarto_pi.engine import kernel

COMPILED = Path(kernel.__file__).suffix != ".py"


def interpreted_kernel() -> ModuleType:
    """The kernel's source as an ordinary module, whatever has been compiled from it."""
    name = "quarto_pi.engine.kernel_interpreted"
    if name in sys.modules:
        return sys.modules[name]
    package = Path(kernel.__file__).parent
    spec = importlib.util.spec_from_file_location(name, package / "kernel.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


WORLDS = [
    pytest.param(
        kernel, id="compiled", marks=pytest.mark.skipif(not COMPILED, reason="there is no compiled kernel here")
    ),
    pytest.param(interpreted_kernel(), id="interpreted"),
]
