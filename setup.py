"""Builds the search's kernel where Cython and a C compiler are there; without them it runs as it is."""

from setuptools import Extension, setup

try:
    from Cython.Build import cythonize
except ImportError:
    extensions = []
else:
    extensions = cythonize(
        [Extension("quarto_pi.engine.kernel", ["quarto_pi/engine/kernel.py"], extra_compile_args=["-O2", "-g0"])],
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

setup(ext_modules=extensions)
