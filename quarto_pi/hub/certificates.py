"""The hub's own certificate authority: boards believe it and nobody else, so no name has to be known to the world.

Its certificates are as good as for ever, and were so long before they were made: a board without a network's time
starts with a clock that is years behind, and has to be let in nevertheless. Who can read the key of the broker can
read that of the authority beside it; an early end would protect nobody.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from quarto_pi.chain.credentials import CA_FILE
from quarto_pi.files import put_whole
from quarto_pi.hub.settings import HubFailure

CA_KEY: Final = "ca.key"
SERVER_FILE: Final = "server.pem"
SERVER_KEY: Final = "server.key"
NAMES_FILE: Final = "server.names"
PRIVATE: Final = 0o600
FIRST_DAY: Final = "20200101000000Z"
LAST_DAY: Final = "20491231235959Z"
_PATIENCE: Final = 60

_CONFIG: Final = """
[ca]
default_ca = hub
[hub]
database = {folder}/index
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[req]
distinguished_name = none
prompt = no
[none]
commonName = quarto-pi
[authority]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {names}
"""


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files that a broker is given; the authority's own is also what boards are given."""

    ca: Path
    certificate: Path
    key: Path


def certificates_in(folder: Path, names: Iterable[str]) -> Certificates:
    """The certificates in a folder, made where they are not there, or not for all these names."""
    openssl = shutil.which("openssl", path=os.environ.get("PATH", os.defpath))
    if openssl is None:
        raise HubFailure("openssl is not installed, which makes the certificates: do 'sudo apt install openssl'.")
    found = Certificates(folder / CA_FILE, folder / SERVER_FILE, folder / SERVER_KEY)
    wanted = ",".join(sorted({_alternative(name) for name in names}))
    if not (found.ca.exists() and (folder / CA_KEY).exists()):
        (folder / NAMES_FILE).unlink(missing_ok=True)
        _issue(openssl, folder, _AUTHORITY, wanted)
    if _text_of(folder / NAMES_FILE) != wanted or not (found.certificate.exists() and found.key.exists()):
        _issue(openssl, folder, _SERVER, wanted)
        put_whole(folder / NAMES_FILE, wanted.encode())
    return found


def names_of_machine(address: str) -> tuple[str, ...]:
    """Under which names and numbers boards may look for this machine; an address that was set is one of them."""
    names = {socket.gethostname() or "localhost", f"{machine_name()}.local", "localhost", "127.0.0.1"}
    if address:
        names.add(address)
    own = _own_number()
    if own:
        names.add(own)
    return tuple(sorted(names))


def machine_name() -> str:
    """What this machine is called, without its domain."""
    return socket.gethostname().partition(".")[0] or "localhost"


def _own_number() -> str | None:
    """The number under which this machine is seen in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(("192.0.2.1", 9))
            return str(line.getsockname()[0])
        except OSError:
            return None


def _alternative(name: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


def _text_of(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.exists() else None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A certificate to be made: where, with which extensions, for whom."""

    key: str
    file: str
    kind: str
    name: str


_AUTHORITY: Final = _Wanted(CA_KEY, CA_FILE, "authority", "quarto-pi hub")
_SERVER: Final = _Wanted(SERVER_KEY, SERVER_FILE, "server", "quarto-pi broker")


def _issue(openssl: str, folder: Path, wanted: _Wanted, names: str) -> None:
    """Make a key, and a certificate for it that the authority has signed, which may be its own."""
    with TemporaryDirectory(dir=folder) as place:
        work = Path(place)
        (work / "config").write_text(_CONFIG.format(folder=work, names=names), encoding="utf-8")
        (work / "index").touch()
        _run(openssl, "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", work / "key")
        config = ("-config", work / "config")
        whom = ("-subj", f"/CN={wanted.name}")
        _run(openssl, "req", "-new", *config, "-key", work / "key", *whom, "-out", work / "request")
        signer: tuple[str | Path, ...] = ("-cert", folder / CA_FILE, "-keyfile", folder / CA_KEY)
        if wanted is _AUTHORITY:
            signer = ("-selfsign", "-keyfile", work / "key")
        dates = ("-startdate", FIRST_DAY, "-enddate", LAST_DAY)
        told = ("-batch", "-notext", "-extensions", wanted.kind, "-in", work / "request", "-out", work / "certificate")
        _run(openssl, "ca", *config, *signer, *dates, *told)
        put_whole(folder / wanted.key, (work / "key").read_bytes(), mode=PRIVATE)
        put_whole(folder / wanted.file, (work / "certificate").read_bytes())


def _run(openssl: str, *arguments: str | Path) -> None:
    done = subprocess.run(  # noqa: S603 - openssl itself
        [openssl, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=_PATIENCE
    )
    if done.returncode != 0:
        said = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        raise HubFailure(f"openssl could not make a certificate: {said}.")
