"""The virtual machine: Debian's kernel, Python and this project on a disk that is only read, the journal on another.

The packages are fetched and unpacked, never installed; nothing here needs to be root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from tests.virtual.archive import archive

PROJECT: Final = Path(__file__).parent.parent.parent
DATA_MB: Final = 64
SYSTEM_MB: Final = 192
MODULES: Final = ("virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci", "virtio_blk")
"""In the order in which they need each other; ext4 is part of the kernel."""
INIT: Final = """#!/busybox sh
/busybox mount -t devtmpfs none /dev
/busybox mount -t proc none /proc
for module in {modules}; do /busybox insmod /$module.ko; done
/busybox mount -t ext4 -o ro,noatime /dev/vda /system
/busybox mount -t ext4 /dev/vdb /system/data
/busybox mount -t devtmpfs none /system/dev
/busybox mount -t proc none /system/proc
cd /system
exec /busybox chroot /system /usr/bin/{python} -m tests.cafe.process /data /proc/cmdline
"""
QEMU: Final = (
    *("qemu-system-x86_64", "-accel", "tcg", "-nodefaults", "-no-user-config", "-no-reboot"),
    *("-display", "none", "-serial", "stdio"),
)


class Unavailable(RuntimeError):
    """What the machine is made of is not there; the text says what to do."""


class System:
    """The files that a machine is started from, made anew for each run; the packages are kept."""

    def __init__(self, folder: Path) -> None:
        self.kernel = folder / "vmlinuz"
        self.initial = folder / "initial.cpio"
        self.image = folder / "system.ext4"
        self._folder = folder
        self._root = folder / "root"

    def make(self) -> Self:
        """Unpack what is needed, and put this project beside it."""
        for program in ("qemu-system-x86_64", "mke2fs", "apt-get", "dpkg-deb"):
            if shutil.which(program) is None:
                raise Unavailable(f"{program} is not installed: run '.ci/system-packages power'.")
        shutil.rmtree(self._root, ignore_errors=True)
        for name in ("data", "dev", "proc", "tmp"):
            (self._root / name).mkdir(parents=True)
        for package in self._packages():
            _run("dpkg-deb", "-x", str(package), str(self._root))
        shutil.copy(next(self._root.glob("boot/vmlinuz-*")), self.kernel)
        python = next(self._root.glob("usr/bin/python3.*")).name
        modules = {path.stem: path.read_bytes() for path in self._root.glob("lib/modules/**/*.ko")}
        init = INIT.format(modules=" ".join(MODULES), python=python)
        files = dict.fromkeys(("dev", "proc", "system")) | {"busybox": (self._root / "bin/busybox").read_bytes()}
        files |= {f"{name}.ko": modules[name] for name in MODULES}
        self.initial.write_bytes(archive(files | {"init": init.encode()}))
        for unneeded in ("boot", "lib/modules", "usr/share"):
            shutil.rmtree(self._root / unneeded)
        for name in ("quarto_pi", "tests/cafe"):
            shutil.copytree(PROJECT / name, self._root / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        self._compile(python)
        make_image(self.image, SYSTEM_MB, self._root)
        return self

    def _compile(self, python: str) -> None:
        """Compile what will run, if this computer has the same Python: the machine has no place to keep it."""
        same = Path("/usr/bin") / python
        if same.exists():
            folders = [str(self._root / name) for name in ("usr/lib", "quarto_pi", "tests/cafe")]
            _run(str(same), "-m", "compileall", "-q", "-s", str(self._root), "-p", "/", *folders)

    def _packages(self) -> Iterator[Path]:
        """The packages, fetched if they are not there yet."""
        folder = self._folder / "packages"
        if not folder.is_dir():
            names = list(_names())
            beside = folder.with_suffix(".new")
            shutil.rmtree(beside, ignore_errors=True)
            beside.mkdir()
            _run("apt-get", "download", "-q", *names, folder=beside)
            beside.rename(folder)
        return folder.glob("*.deb")


def _names() -> Iterator[str]:
    """Kernel, Python and what that needs, by the names that this Debian has for them."""
    python = _dependency("python3-minimal", "python3.")
    yield _dependency("linux-image-cloud-amd64", "linux-image-")
    yield from (python, f"lib{python}", f"lib{python.replace('minimal', 'stdlib')}")
    yield from ("libsqlite3-0", "libc6", "zlib1g", "libexpat1", "busybox-static")


def _dependency(package: str, beginning: str) -> str:
    said = subprocess.run(["apt-cache", "depends", package], check=True, capture_output=True, text=True).stdout  # noqa: S603, S607
    for line in said.splitlines():
        name = line.partition("Depends: ")[2]
        if name.startswith(beginning):
            return name
    raise Unavailable(f"apt knows no package {package}: run 'apt-get update', on Debian.")


def make_image(file: Path, megabytes: int, content: Path | None = None) -> None:
    """A file system in a file, with what is in a folder."""
    file.unlink(missing_ok=True)
    taken = () if content is None else ("-d", str(content))
    _run("mke2fs", "-q", "-t", "ext4", *taken, str(file), f"{megabytes}M")


def power_machine(system: System, disk_socket: Path, words: str) -> Machine:
    """The machine that keeps games."""
    options = ["-m", "256", "-kernel", str(system.kernel), "-initrd", str(system.initial)]
    options += ["-append", f"console=ttyS0 quiet panic=-1 rdinit=/init {words}"]
    options += ["-drive", f"file={system.image},format=raw,if=virtio,readonly=on"]
    return Machine([*options, *forgetful_drive(disk_socket)])


def forgetful_drive(disk_socket: Path) -> tuple[str, str]:
    """What gives a machine the disk that is served there."""
    # With a write-back cache the guest is told that the disk forgets, and flushes it where it has to.
    return "-drive", f"file=nbd+unix:///?socket={disk_socket},format=raw,if=virtio,cache=writeback"


class Machine:
    """A machine that is running; `cut` takes its power away."""

    def __init__(self, options: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this project's own machine
            [*QEMU, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self._process.stdout is not None
        self._said = self._process.stdout

    def lines(self) -> Iterator[str]:
        """What it says, until its power is cut."""
        for line in self._said:
            yield line.decode("utf-8", "replace").strip()

    def cut(self) -> None:
        """Take its power away."""
        self._process.kill()
        self._process.wait()


def _run(*command: str, folder: Path | None = None) -> None:
    done = subprocess.run(  # noqa: S603 - Debian's own tools
        command, check=False, cwd=folder, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C")
    )
    if done.returncode:
        raise Unavailable(f"'{' '.join(command[:2])} …' failed: {done.stderr.strip()}")
