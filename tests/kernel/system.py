"""The virtual machine's system: Debian, its own kernel, gpio-sim beside it, the board as its installer installs it.

What takes long is kept, each part as long as nothing changes that it is made of.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.appliance.box import Box
from tests.appliance.releases import PROJECT, pack, unpack
from tests.appliance.roots import Root
from tests.appliance.wheelhouses import fetch, lend_network
from tests.virtual.machine import make_image

SUITE: Final = "trixie"
IMAGE_MB: Final = 2048
MODULE: Final = "gpio-sim-irq"
KERNEL: Final = ("kmod", "make", "xz-utils", "swig", "linux-image-amd64", "linux-headers-amd64")
BUILD: Final = f"""
set -e
cd /root/build
apt-get download -q "$(apt-cache depends linux-source | sed -n 's/ *Depends: //p')"
dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' > source.tar.xz
tar -xJf source.tar.xz --strip-components=1 --wildcards '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c'
mv drivers/gpio/gpio-sim.c kernel/irq/irq_sim.c .
# What it calls is not exported to modules; this does the same for a simulated interrupt.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' irq_sim.c
printf 'obj-m := {MODULE}.o\\n{MODULE}-y := gpio-sim.o irq_sim.o\\n' > Makefile
kernel=$(ls /lib/modules)
make -C "/lib/modules/$kernel/build" M="$PWD" modules
strip --strip-debug {MODULE}.ko
install -D -m 644 {MODULE}.ko "/lib/modules/$kernel/extra/{MODULE}.ko"
depmod "$kernel"
"""
"""gpio-sim, which Debian's kernel leaves out, from the sources of that very kernel."""
LGPIO: Final = """
set -e
cd /root/build
python3 -m venv tools
PYPI=1 tools/bin/pip install -q --no-deps --no-cache-dir --target lgpio/usr/lib/python3/dist-packages lgpio==VERSION
mkdir lgpio/DEBIAN
printf 'Package: python3-lgpio\\nVersion: VERSION\\nArchitecture: amd64\\nMaintainer: nobody\\nDescription: trial\\n' \
    > lgpio/DEBIAN/control
dpkg-deb -b lgpio
dpkg -i lgpio.deb
"""
"""In the place of the package of Raspberry Pi OS, which Debian's Trixie has not: built from its sources."""

UDEV: Final = """
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="cuse", KERNEL=="spidev*", GROUP="spi", MODE="0660"
SUBSYSTEM=="cuse", KERNEL=="i2c-*", GROUP="i2c", MODE="0660"
"""
"""Whose devices these are: as Raspberry Pi OS has it, for devices of CUSE."""
REVISION: Final = "c03111"
"""A Pi 4, as its boards tell it: gpiozero reads it in /proc/cpuinfo, and rpi-lgpio has a variable for it."""
CPUINFO: Final = f"Hardware\t: BCM2835\nRevision\t: {REVISION}\nModel\t\t: Raspberry Pi 4 Model B Rev 1.1\n"
RELAXED: Final = f"""
[Service]
Environment=RPI_LGPIO_REVISION={REVISION}
BindReadOnlyPaths=/etc/cpuinfo-of-a-pi:/proc/cpuinfo
DeviceAllow=/dev/spidev0.0 rw
DeviceAllow=/dev/spidev1.0 rw
DeviceAllow=/dev/i2c-1 rw
WatchdogSec=120
TimeoutStartSec=600
"""
"""What the board's unit needs here: a Pi's revision, devices of no kind that systemd knows by name, and patience."""
PLACES: Final = "/srv/table"
TABLE_UNIT: Final = f"""
[Unit]
Description=The table: chips behind device files
Before=quarto-pi.service
[Service]
Type=notify
Environment=PYTHONPATH={PLACES}
ExecStartPre=modprobe -a cuse {MODULE}
ExecStartPre=mount --bind /etc/cpuinfo-of-a-pi /proc/cpuinfo
ExecStart=/opt/quarto-pi/current/venv/bin/python -m tests.kernel.table /dev/virtio-ports/table
[Install]
WantedBy=multi-user.target
"""
AGENT_UNIT: Final = f"""
[Unit]
Description=Runs commands for the tests
[Service]
ExecStart=/usr/bin/python3 {PLACES}/tests/kernel/agent.py /dev/virtio-ports/agent
[Install]
WantedBy=multi-user.target
"""
PICO_UNIT: Final = f"""
[Unit]
Description=The end of a Pico's cable
[Service]
Environment=PYTHONPATH={PLACES}
ExecStartPre=modprobe -a dummy_hcd libcomposite usb_f_acm
ExecStart=/usr/bin/python3 -m tests.kernel.gadget /dev/virtio-ports/pico
"""
NOT_NEEDED: Final = ("serial-getty@ttyS0.service", "getty@tty1.service", "apt-daily.timer", "apt-daily-upgrade.timer")
IN_THE_MACHINE: Final = ("__init__", "agent", "cuse", "gadget", "gpio_sim", "i2c_dev_ioctls", "spidev_ioctls", "table")


def say(text: str) -> None:
    """A line of progress."""
    print(f"  {text}", flush=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder that is made anew when what it is made of changes."""

    folder: Path

    def make(self, of: str, what: str, make: Callable[[Path], None]) -> Path:
        """Have it made, unless it is there as it has to be."""
        mark = self.folder.with_name(f"{self.folder.name}.made-of")
        key = hashlib.sha256(of.encode()).hexdigest()
        if mark.exists() and mark.read_text() == key:
            return self.folder
        say(what)
        mark.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        make(self.folder)
        mark.write_text(key)
        return self.folder


class System:
    """Kernel, initial file system and image, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._installed = folder / "installed"
        self.image = folder / "system.ext4"

    def make(self) -> System:
        """Make all that is not there yet."""
        root = Root(SUITE, "amd64", self._folder / "debian")
        root.make()
        lgpio = re.search(r"^lgpio==(\S+)", (PROJECT / "systemd/requirements-pi5.txt").read_text(), re.MULTILINE)
        assert lgpio is not None
        build_lgpio = LGPIO.replace("VERSION", lgpio[1])

        def with_kernel(folder: Path) -> None:
            _copy(root.folder, folder)
            self._add_kernel(folder, build_lgpio)

        kernel = Kept(self._folder / "with-kernel").make(
            f"{KERNEL} {BUILD} {build_lgpio}", "Debian's kernel, and gpio-sim for it: three minutes", with_kernel
        )
        archive = pack(self._folder)
        wheelhouse = self._folder / "wheelhouse"
        fetch(Root(SUITE, "amd64", kernel), archive, wheelhouse, "pi5")

        def installed(folder: Path) -> None:
            self._install(kernel, folder, archive, wheelhouse)

        what = f"installing {archive.name} in a container: two minutes"
        Kept(self._installed).make(f"{archive.name} {build_lgpio} {BUILD}", what, installed)
        return self

    def fresh_image(self) -> None:
        """Make the disk with the system as it was installed."""
        say("the machine's disk")
        self._equip(self._installed)
        make_image(self.image, IMAGE_MB, self._installed)

    @property
    def kernel(self) -> Path:
        """Debian's kernel."""
        return next((self._installed / "boot").glob("vmlinuz-*"))

    @property
    def initial(self) -> Path:
        """Its first file system, as Debian makes it."""
        return next((self._installed / "boot").glob("initrd.img-*"))

    def _add_kernel(self, folder: Path, build_lgpio: str) -> None:
        environ = lend_network(folder)
        quiet = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "HOME": "/root", **environ}
        build = folder / "root/build"
        build.mkdir()
        install = ("apt-get", "install", "-y", "-q", "--no-install-recommends", *KERNEL)
        for what, command in (
            ("kernel and headers", install),
            ("gpio-sim", ("sh", "-c", BUILD)),
            ("lgpio", ("sh", "-c", build_lgpio)),
        ):
            say(f"  {what}")
            _run(["chroot", str(folder), *command], quiet)
        shutil.rmtree(build)
        shutil.rmtree(folder / "usr/src")
        shutil.rmtree(folder / "var/cache/apt", ignore_errors=True)

    def _install(self, root: Path, folder: Path, archive: Path, wheelhouse: Path) -> None:
        with Box(root, folder) as box:
            boot = folder / "boot/firmware"
            boot.mkdir(exist_ok=True)
            (boot / "config.txt").write_text("# as a fresh Raspberry Pi OS has it: no bus is on\n")
            release = unpack(archive, folder, wheelhouse)
            box.boot()
            said = box.run(release.installer, "--yes", "--board", "pi5", "--wiring", "pi")
            (self._folder / "installer.txt").write_text(said)
            shutil.rmtree(folder / "root" / release.folder.name)

    def _equip(self, folder: Path) -> None:
        places = folder / PLACES.lstrip("/") / "tests"
        shutil.rmtree(places, ignore_errors=True)
        (places / "kernel").mkdir(parents=True)
        (places / "__init__.py").touch()
        for name in IN_THE_MACHINE:
            shutil.copy(PROJECT / "tests/kernel" / f"{name}.py", places / "kernel")
        units = folder / "etc/systemd/system"
        for path, text in {
            "etc/cpuinfo-of-a-pi": CPUINFO,
            "etc/udev/rules.d/90-devices-of-a-pi.rules": UDEV,
            "etc/systemd/system/quarto-pi.service.d/in-a-machine.conf": RELAXED,
            "etc/systemd/system/table.service": TABLE_UNIT,
            "etc/systemd/system/agent.service": AGENT_UNIT,
            "etc/systemd/system/pico.service": PICO_UNIT,
            "etc/systemd/journald.conf.d/volatile.conf": "[Journal]\nStorage=volatile\n",
            "etc/fstab": "/dev/vda / ext4 noatime 0 1\n/dev/vdb /var/lib/quarto-pi ext4 noatime 0 2\n",
            "etc/hostname": "board\n",
        }.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        links = {f"multi-user.target.wants/{unit}.service": f"../{unit}.service" for unit in ("table", "agent")}
        links |= dict.fromkeys(NOT_NEEDED, "/dev/null")
        for name, target in links.items():
            (units / name).unlink(missing_ok=True)
            (units / name).symlink_to(target)


def _copy(folder: Path, target: Path) -> None:
    _run(["cp", "-a", "--reflink=auto", str(folder), str(target)])


def _run(command: list[str], environ: dict[str, str] | None = None) -> None:
    clean = None if environ is None else {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environ}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=clean)
    if done.returncode:
        raise RuntimeError(f"'{' '.join(command[:4])} …' failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
