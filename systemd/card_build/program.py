"""The program as it stands on a card: the pinned packages, and ours; what has no wheel is compiled for a Pi."""

from __future__ import annotations

import io
import os
import re
import runpy
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from card_build.cache import Cache, key_of

PYTHON: Final = "3.13"
"""Trixie's."""
PINS: Final = "systemd/requirements-pi5.txt"
"""The set with rpi-lgpio: Debian's kernel is newer than what RPi.GPIO can watch a button of."""
PLATFORMS: Final = ("manylinux_2_17_aarch64", "manylinux2014_aarch64", "manylinux_2_28_aarch64")
BUILD_PINS: Final = "systemd/requirements-build.txt"
COMPILED: Final = ("lgpio", "spidev")
"""Pinned packages without a wheel for this Python: each is a handful of files in C."""
LGPIO_FILES: Final = ("lg*.c", "rgpiod.c")
"""All of it, as its own makers link it: parts of the library use names of its daemon."""
COMPILER: Final = "aarch64-linux-gnu-gcc"
_SUFFIX: Final = ".cpython-313-aarch64-linux-gnu.so"
_KERNEL: Final = "quarto_pi/engine/kernel"


COMPILED_MODULES: Final = ("_lgpio", "spidev", "quarto_pi.engine.kernel")


class NotLoadedError(OSError):
    """Something that was compiled can't be used; a sentence."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What is committed, as git hands it out."""

    repository: Path

    def commit(self) -> str:
        """The commit's short name."""
        return self._git("rev-parse", "--short=10", "HEAD").decode().strip()

    def moment(self) -> int:
        """When it was committed: what all of a card is said to be from."""
        return int(self._git("log", "-1", "--format=%ct"))

    def unpack(self, folder: Path) -> None:
        """All of it, into a folder."""
        with tarfile.open(fileobj=io.BytesIO(self._git("archive", "--format=tar", "HEAD"))) as archive:
            archive.extractall(folder, filter="fully_trusted")  # noqa: S202 - what git has packed just now

    def read(self, path: str) -> bytes:
        """One file of it."""
        return self._git("show", f"HEAD:{path}")

    def _git(self, *arguments: str) -> bytes:
        return subprocess.run(["git", "-C", self.repository, *arguments], check=True, capture_output=True).stdout


def pinned_packages(cache: Cache, sources: Sources, headers: Path) -> Path:
    """A folder of the pinned packages, ready to be imported on a Pi."""
    pins = sources.read(PINS)
    key = key_of((pins, PYTHON, *PLATFORMS, *COMPILED, *LGPIO_FILES, headers.name))
    return cache.file("packages", key, lambda path: _make_packages(path, pins.decode(), headers))


def compiled_search(cache: Cache, sources: Sources, headers: Path) -> Path:
    """The search, compiled."""
    key = key_of(
        (
            sources.read(f"{_KERNEL}.py"),
            sources.read(f"{_KERNEL}.pxd"),
            sources.read("setup.py"),
            sources.read(BUILD_PINS),
            headers.name,
        )
    )
    return cache.file(f"kernel{_SUFFIX}", key, lambda path: _compile_search(path, sources, headers))


def place_program(venv: Path, packages: Path, search: Path, source: Path) -> None:
    """A virtual environment that the unit's `venv/bin/python -m quarto_pi` finds everything in."""
    library = venv / "lib" / f"python{PYTHON}" / "site-packages"
    library.parent.mkdir(parents=True)
    subprocess.run(["cp", "-a", packages, library], check=True)
    subprocess.run(["cp", "-a", source / "quarto_pi", library / "quarto_pi"], check=True)
    firmware = library / "quarto_pi" / "firmware"
    if firmware.is_symlink():
        firmware.unlink()
        subprocess.run(["cp", "-a", source / "firmware", firmware], check=True)
    runpy.run_path(str(source / "quarto_pi/words/compiling.py"))["compile_all"](library / "quarto_pi/words/locale")
    subprocess.run(["cp", search, library / f"{_KERNEL}{_SUFFIX}"], check=True)
    (venv / "bin").mkdir()
    (venv / "bin/python").symlink_to("/usr/bin/python3")
    (venv / "bin/quarto-pi").write_text('#!/bin/sh\nexec /opt/quarto-pi/current/venv/bin/python -m quarto_pi "$@"\n')
    (venv / "bin/quarto-pi").chmod(0o755)
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")


def load_compiled(python: Sequence[str | Path], modules: Sequence[str] = COMPILED_MODULES) -> None:
    """See whether this Python loads what was compiled: a name that nobody defines shows only then."""
    command = [*python, "-B", "-c", f"import {', '.join(modules)}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NotLoadedError(f"What was compiled for a Pi does not load: {(done.stderr.splitlines() or ['?'])[-1]}")


def requirements_by_kind(pins: str) -> tuple[str, str]:
    """The pinned requirements of which there are wheels, and those to compile, without conditions on the Python."""
    blocks = re.split(r"\n(?=[a-z])", re.sub(r"(?m)^#.*\n", "", pins).strip())
    plain = [re.sub(r" ; [^\\\n]*", " ", block) for block in blocks]
    compiled = [block for block in plain if block.startswith(tuple(f"{name}==" for name in COMPILED))]
    return "\n".join(each for each in plain if each not in compiled) + "\n", "\n".join(compiled) + "\n"


def _make_packages(folder: Path, pins: str, headers: Path) -> None:
    folder.mkdir()
    wheels, sources = requirements_by_kind(pins)
    with TemporaryDirectory() as name:
        fetched = Path(name)
        own = [f"--platform={each}" for each in PLATFORMS]
        abis = ("--abi=cp313", "--abi=abi3", "--abi=none")
        _download(fetched, wheels, "--only-binary=:all:", f"--python-version={PYTHON}", *abis, *own)
        for wheel in sorted(fetched.glob("*.whl")):
            with ZipFile(wheel) as archive:
                archive.extractall(folder)  # noqa: S202 - its checksum is pinned
        _download(fetched, sources, "--no-binary=:all:")
        for archive_path in sorted(fetched.glob("*.tar.gz")):
            with tarfile.open(archive_path) as tar:
                tar.extractall(fetched, filter="data")
        _compile_spidev(next(fetched.glob("spidev-*/")), folder, headers)
        _compile_lgpio(next(fetched.glob("lgpio-*/")), folder, headers)


def _download(folder: Path, requirements: str, *options: str) -> None:
    listed = folder / "requirements.txt"
    listed.write_text(requirements, encoding="utf-8")
    command = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", f"--dest={folder}")
    subprocess.run([*command, *options, f"--requirement={listed}"], check=True, stderr=subprocess.DEVNULL)


def _compile_spidev(source: Path, folder: Path, headers: Path) -> None:
    _compile(folder / f"spidev{_SUFFIX}", [source / "spidev_module.c"], headers)


def _compile_lgpio(source: Path, folder: Path, headers: Path) -> None:
    subprocess.run(["swig", "-python", "lgpio.i"], check=True, cwd=source, stdout=subprocess.DEVNULL)
    extra = (source / "lgpio_extra.py").read_text(encoding="utf-8")
    module = source / "lgpio.py"
    wrapped = module.read_text(encoding="utf-8")
    (folder / "lgpio.py").write_text(wrapped if extra in wrapped else wrapped + extra, encoding="utf-8")
    parts = [path for pattern in LGPIO_FILES for path in sorted((source / "src").glob(pattern))]
    files = [source / "lgpio_wrap.c", *parts]
    _compile(folder / f"_lgpio{_SUFFIX}", files, headers, f"-I{source / 'src'}", "-lpthread")


def _compile_search(path: Path, sources: Sources, headers: Path) -> None:
    with TemporaryDirectory() as name:
        source = Path(name)
        sources.unpack(source)
        tools = source / "tools"
        pinned = ("--require-hashes", "--requirement", source / BUILD_PINS)
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
        subprocess.run([*pip, f"--target={tools}", *pinned], check=True, stderr=subprocess.DEVNULL)
        # Cython writes kernel.c; what setuptools would then compile for this machine is compiled for a Pi below.
        setup = "import setuptools, runpy; setuptools.setup = lambda **_: None; runpy.run_path('setup.py')"
        command = [sys.executable, "-c", setup]
        subprocess.run(
            command, check=True, cwd=source, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(tools)}
        )
        _compile(path, [source / f"{_KERNEL}.c"], headers, "-O3", "-g0")


def _compile(path: Path, files: list[Path], headers: Path, *options: str) -> None:
    """The folders that files stand in are not to be seen in what is compiled."""
    here = files[0].parent
    include = (f"-I{headers}/usr/include/python{PYTHON}", f"-I{headers}/usr/include")
    always = ("-shared", "-fPIC", "-O2", "-DNDEBUG", "-s", f"--sysroot={headers}", f"-ffile-prefix-map={here}=.")
    command: list[str | Path] = [COMPILER, *always, *include, *files, *options, "-o", path]
    subprocess.run(command, check=True, cwd=here)
