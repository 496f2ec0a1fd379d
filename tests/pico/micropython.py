"""Fetches the MicroPython interpreter that the firmware is tested on: `python -m tests.pico.micropython`.

It is the WebAssembly port, from npm, in one version whose files are known by their hashes. `dukpy` fetches it: npm
itself would come with hundreds of packages, for one of half a megabyte that needs none. What runs it is the Node.js
that Playwright brings along.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

import playwright
from dukpy.install import JSPackageInstallError, install_jspackage

PACKAGE: Final = "@micropython/micropython-webassembly-pyscript"
VERSION: Final = "1.27.0"
HASHES: Final = {
    "micropython.mjs": "c2be87e7ba24e3b47d133022b009a66bff07f4720aa23d816d216ef8cc47014c",
    "micropython.wasm": "06338c955b03c5700aa0069015d3e392d76836ef8e2ce25bedbe59b88ccd373c",
    "package.json": "904196a2fb4d33d2cceb8081a95ac70d62b5e1994df2b5eb5835674368f0d655",
}
"""SHA-256 of each file that is kept."""
HOME: Final = Path(__file__).parent.parent.parent / "build" / f"micropython-{VERSION}"
FOLDER: Final = HOME / "package"
"""Where the interpreter is once it has been fetched."""
NODE: Final = Path(playwright.__file__).parent / "driver" / "node"


def changed(folder: Path) -> list[str]:
    """The files that are not there, or not as they were when this version was chosen."""
    return [name for name, known in HASHES.items() if _hash(folder / name) != known]


def fetch(folder: Path) -> None:
    """Put the interpreter's files into a folder, all of them or none.

    Raises `dukpy`'s error if they could not be fetched, ValueError if they are not what they were.
    """
    with tempfile.TemporaryDirectory() as temporary:
        # It tells where it fetches from.
        with contextlib.redirect_stdout(io.StringIO()):
            install_jspackage(PACKAGE, VERSION, temporary)
        if different := changed(Path(temporary) / PACKAGE):
            message = f"{PACKAGE} {VERSION} is not what it was: {', '.join(different)}"
            raise ValueError(message)
        folder.mkdir(parents=True, exist_ok=True)
        for name in HASHES:
            shutil.copyfile(Path(temporary) / PACKAGE / name, folder / name)


def main() -> int:
    """Fetch the interpreter, unless it is there."""
    if not changed(FOLDER):
        return 0
    try:
        fetch(FOLDER)
    except (JSPackageInstallError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _hash(file: Path) -> str | None:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
