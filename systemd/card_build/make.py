"""The order of the steps of `make card`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from card_build.boot_files import ABOUT, boot_image, owners_image
from card_build.bundle import Contents, Signer, write_bundle
from card_build.cache import Cache
from card_build.debian import debian_headers, debian_root
from card_build.emulation import ForeignPrograms
from card_build.image import TooLargeError, data_image, write_card
from card_build.layout import BOOT_A, DATA, OWNERS, ROOT_A, card_table
from card_build.program import Sources, compiled_search, pinned_packages
from card_build.system import Parts, committed_files, put_together, squash

_NEEDED = {
    "mmdebstrap": "mmdebstrap",
    "mksquashfs": "squashfs-tools",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "mkfs.ext4": "e2fsprogs",
    "dtc": "device-tree-compiler",
    "swig": "swig",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "xz": "xz-utils",
    "rauc": "rauc",
}


class NotPossibleError(Exception):
    """Why no card can be made here; a sentence."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a card consists of, as files."""

    version: str
    moment: int
    boot: Path
    root: Path
    image: Path


def main(arguments: Sequence[str], repository: Path) -> int:
    """Make a card, and a bundle where there is somebody to sign it; return the exit code."""
    parser = ArgumentParser(prog="make card", description="Make the card that one flashes.")
    parser.add_argument("--folder", type=Path, default=repository / "dist", help="where it goes")
    parser.add_argument("--build", type=Path, default=repository / "build" / "card", help="where what was made is kept")
    parser.add_argument("--key", type=Path, help="the private key that signs the update")
    parser.add_argument("--cert", type=Path, help="its certificate, which the card believes from then on")
    parser.add_argument("--only-image", action="store_true", help="leave the compressed file away, for a trial")
    options = parser.parse_args(arguments)
    try:
        _check(options.key, options.cert)
        signer = Signer(options.key, options.cert) if options.key else None
        made = make_card(Sources(repository), options.build, options.cert)
        _hand_out(made, options.folder, signer, compress=not options.only_image)
    except (NotPossibleError, TooLargeError, OSError) as error:
        print(f"make card: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        said = (error.stderr or b"").decode(errors="replace") if isinstance(error.stderr, bytes) else error.stderr or ""
        print(f"make card: {error.cmd[0]} failed with exit code {error.returncode}. {said}".strip(), file=sys.stderr)
        return 1
    return 0


def make_card(sources: Sources, build: Path, certificate: Path | None) -> Made:
    """Make all of it, and keep what does not change from one commit to the next."""
    began = time.monotonic()

    def tell(sentence: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {sentence}", flush=True)

    cache = Cache(build, tell)
    moment = sources.moment()
    version = f"{_number(sources)}-{sources.commit()}"
    if ForeignPrograms().let_run():
        tell("this machine's kernel runs programs for a Pi's processor from now on, with qemu-user")
    tell("Debian's packages; the first time this takes a quarter of an hour")
    debian = debian_root(cache)
    headers = debian_headers(cache)
    tell("the program's packages")
    packages, search = pinned_packages(cache, sources, headers), compiled_search(cache, sources, headers)
    believed = certificate.read_text(encoding="ascii") if certificate else ""
    root = build / "root"
    tell("the system")
    put_together(root, Parts(debian, packages, search, sources, version, believed), cache)
    made = Made(version, moment, build / "boot.img", build / "root.img", build / "card.img")
    tell("the boot partition")
    boot_image(made.boot, root, committed_files(root) / "wires.dtso", moment)
    owners = build / "owners.img"
    owners_image(owners, root, {"README.txt": ABOUT.encode("ascii"), "quarto-pi.txt": settings_file(sources)}, moment)
    listed = root / "var/lib/dpkg/status"
    (build / "packages.txt").write_text(package_list(listed.read_text(encoding="utf-8")), encoding="utf-8")
    tell("the read-only file system")
    squash(root, made.root, moment)
    data = build / "data.img"
    data_image(data, moment)
    tell("the card")
    write_card(made.image, card_table(), {OWNERS: owners, BOOT_A: made.boot, ROOT_A: made.root, DATA: data})
    tell(f"made: {made.root.stat().st_size / 1e6:.0f} MB of a system")
    return made


def settings_file(sources: Sources) -> bytes:
    """What the owner edits, as the program writes it while nothing was said yet."""
    with TemporaryDirectory() as name:
        sources.unpack(Path(name))
        command = [sys.executable, "-m", "quarto_pi", "first-start", "--print"]
        return subprocess.run(command, check=True, cwd=name, capture_output=True).stdout


def package_list(status: str) -> str:
    """Which versions of Debian's packages a card consists of."""
    found = []
    for block in status.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != " ")
        if "Package" in fields:
            found.append(f"{fields['Package']} {fields['Version']}\n")
    return "".join(sorted(found))


def _hand_out(made: Made, folder: Path, signer: Signer | None, *, compress: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = f"quarto-pi-{made.version}"
    shutil.copy(made.image.parent / "packages.txt", folder / f"{name}.packages.txt")
    if compress:
        target = folder / f"{name}.img.xz"
        with target.open("wb") as file:
            command: list[str | Path] = ["xz", "--stdout", "-1", "--threads=2", "--block-size=16MiB", made.image]
            subprocess.run(command, check=True, stdout=file)
        print(f"{target}: {target.stat().st_size / 1e6:.0f} MB, {made.image.stat().st_size / 1e6:.0f} MB on a card")
    if signer is not None:
        bundle = folder / f"{name}.raucb"
        write_bundle(bundle, Contents(made.version, made.moment, made.boot, made.root), signer)
        print(f"{bundle}: {bundle.stat().st_size / 1e6:.0f} MB, signed")


def _number(sources: Sources) -> str:
    line = next(line for line in sources.read("quarto_pi/__init__.py").decode().splitlines() if "__version__" in line)
    return line.split('"')[1]


def _check(key: Path | None, certificate: Path | None) -> None:
    if os.geteuid() != 0:
        raise NotPossibleError("Files of a system belong to root: run it with sudo.")
    if (key is None) != (certificate is None) and certificate is None:
        raise NotPossibleError("A signature needs both: KEY=FILE and CERT=FILE.")
    missing = sorted({package for program, package in _NEEDED.items() if shutil.which(program) is None})
    if missing:
        raise NotPossibleError(f"Programs are missing: sudo apt install {' '.join(missing)}.")
