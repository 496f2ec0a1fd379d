import json
import stat
from pathlib import Path

import pytest
from card import update
from card.update import UpdateError, install_bundle, install_newest, write_keyring

CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"


@pytest.fixture
def rauc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of RAUC: it answers as it is told to, and notes what it was asked."""
    program = tmp_path / "rauc"
    program.write_text(
        "#!/bin/sh\n"
        f'echo "$1" >> {tmp_path}/asked\n'
        f'[ "$1" = info ] && {{ cat {tmp_path}/info; exit "$(cat {tmp_path}/info-status)"; }}\n'
        f'cat {tmp_path}/install >&2; exit "$(cat {tmp_path}/install-status)"\n',
        encoding="ascii",
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    for name, content in (("info", "RAUC_MF_COMPATIBLE='x'\nRAUC_MF_VERSION='2'\n"), ("install", "")):
        (tmp_path / name).write_text(content, encoding="ascii")
        (tmp_path / f"{name}-status").write_text("0", encoding="ascii")
    certificates = tmp_path / "owner.pem"
    certificates.write_text(CERTIFICATE, encoding="ascii")
    version = tmp_path / "version"
    version.write_text("1\n", encoding="ascii")
    monkeypatch.setattr(update, "VERSION", version)
    monkeypatch.setattr(update.write_keyring, "__defaults__", ((certificates,), tmp_path / "run" / "keyring.pem"))
    return program


def asked(rauc: Path) -> list[str]:
    return rauc.with_name("asked").read_text(encoding="ascii").split()


def test_a_bundle_of_another_version_is_installed(rauc: Path) -> None:
    told: list[str] = []
    assert install_bundle(Path("quarto.raucb"), told.append, str(rauc)) == "2"
    assert asked(rauc) == ["info", "install"]
    assert told == ["quarto.raucb is signed, and is installed: 2."]


def test_the_version_that_runs_is_not_installed_again(rauc: Path) -> None:
    rauc.with_name("info").write_text("RAUC_MF_VERSION='1'\n", encoding="ascii")
    told: list[str] = []
    assert install_bundle(Path("quarto.raucb"), told.append, str(rauc)) == ""
    assert (asked(rauc), told) == (["info"], ["quarto.raucb is the version that runs."])


def test_a_bundle_whose_signature_is_wrong_is_not_even_begun(rauc: Path) -> None:
    rauc.with_name("info-status").write_text("1", encoding="ascii")
    with pytest.raises(UpdateError, match=r"^quarto\.raucb is not taken: .*\.$"):
        install_bundle(Path("quarto.raucb"), print, str(rauc))
    assert asked(rauc) == ["info"]


def test_what_went_wrong_while_installing_is_told(rauc: Path) -> None:
    rauc.with_name("install-status").write_text("1", encoding="ascii")
    rauc.with_name("install").write_text("Installing\nLastError: no space left.\n", encoding="ascii")
    with pytest.raises(UpdateError, match=r"was not installed: LastError: no space left\.$"):
        install_bundle(Path("quarto.raucb"), print, str(rauc))


def test_a_stick_without_an_update_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").touch()
    assert install_newest(tmp_path, print) == ""


def test_only_certificates_get_into_the_keyring_and_without_one_nothing_is_believed(tmp_path: Path) -> None:
    mixed, keyring = tmp_path / "mixed.pem", tmp_path / "run" / "keyring.pem"
    mixed.write_text(f"who reads this?\n{CERTIFICATE}{json.dumps({})}\n", encoding="ascii")
    write_keyring((mixed, tmp_path / "absent.pem"), keyring)
    assert keyring.read_text(encoding="ascii") == CERTIFICATE
    mixed.write_text("", encoding="ascii")
    with pytest.raises(UpdateError, match=r"No certificate is on this card.*update-certificates\.pem"):
        write_keyring((mixed,), keyring)
