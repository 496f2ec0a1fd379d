"""Compiles the catalogues; and the search's kernel where Cython and a C compiler are: without them it runs as it is."""

import runpy
from pathlib import Path

from setuptools import Extension, setup

try:
    from Cython.Build import cythonize
except ImportError:
    extensions = []
else:
    extensions = cythonize(
        [Extension("quarto_pi.engine.kernel", ["quarto_pi/engine/kernel.py"], extra_compile_args=["-O3", "-g0"])],
        compiler_directives={
            "language_level": 3,
            "annotation_typing": False,
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
        },
    )

for extension in extensions:
    extension.optional = True  # cythonize makes a new one, which has forgotten it

# By code of our own: a board builds without a network, and what compiles them elsewhere would have to be pinned for it.
WORDS = Path(__file__).parent / "quarto_pi" / "words"
runpy.run_path(str(WORDS / "compiling.py"))["compile_all"](WORDS / "locale")

setup(ext_modules=extensions)
