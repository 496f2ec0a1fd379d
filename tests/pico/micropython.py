"""Fetches the MicroPython interpreter that the firmware is tested on: `python -m tests.pico.micropython`.

It is the WebAssembly port, from npm, in one version whose contents are known by their hash; there is no lock file,
because that would name the registry that it was made with.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

PACKAGE: Final = "@micropython/micropython-webassembly-pyscript"
VERSION: Final = "1.27.0"
INTEGRITY: Final = "sha512-DnXx4EqxgkeaFESrS3uKrL7mLMk4mRTd0mMzaOd3HUSiZUOAE7t11uLnjf3ftF87N2xm4knHnWEKcVK4IYIUDA=="
HOME: Final = Path(__file__).parent.parent.parent / "build" / f"micropython-{VERSION}"
FOLDER: Final = HOME / "package"
"""Where the interpreter is once it has been fetched."""
FILES: Final = ("micropython.mjs", "micropython.wasm", "package.json")


def main() -> int:
    """Fetch the interpreter, unless it is there."""
    if all((FOLDER / name).exists() for name in FILES):
        return 0
    HOME.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", "--pack-destination", folder, f"{PACKAGE}@{VERSION}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        (archive,) = Path(folder).glob("*.tgz")
        found = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if found != INTEGRITY:
            print(f"{PACKAGE}@{VERSION} is not what it was: it has the hash {found}.", file=sys.stderr)
            return 1
        FOLDER.mkdir(exist_ok=True)
        with tarfile.open(archive) as packed:
            for name in FILES:
                content = packed.extractfile(f"{FOLDER.name}/{name}")
                assert content is not None, f"{name} is no file"
                (FOLDER / name).write_bytes(content.read())
    return 0


if __name__ == "__main__":
    sys.exit(main())
