"""The archive for those who are asked for help: it says much, and gives nobody away."""

from __future__ import annotations

import io
import json
import re
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.checks import Finding
from quarto_pi.checks.bundle import Discretion, archive, bundle
from quarto_pi.cli import main
from quarto_pi.config.layers import ConfigPlace
from tests.checks.workbench import NOON, Workbench

SECRETS = [
    "geheim4711",
    "dropped815",
    "commented99",
    "WinterCoffee",
    "cafe-corner",
    "keeper",
    "Cornerhouse",
    "192.168.7.31",
    "fd12:3456:789a::17",
    "b8:27:eb:12:34:56",
    "04A1B2C3D4E5F6",
    "04:A1:B2:C3",
    "keeper@cafe.example",
    "0123ABCD4567",
    "4c1f0a7e-02",
    "aa11bb22-cc33-dd44-ee55-ff6677889900",
]
LOG = """2026-03-01T11:00:00+0100 quarto-pi[77]: The page is at http://192.168.7.31:8040/ and http://[fd12:3456:789a::17]/
2026-03-01T11:00:01+0100 quarto-pi[77]: a tag that is none of the pieces: 04A1B2C3D4E5F6, once 04:A1:B2:C3, on b2
2026-03-01T11:00:02+0100 quarto-pi[77]: geheim4711 was typed into /home/keeper/board.toml by keeper@cafe.example
2026-03-01T11:00:03+0100 quarto-pi[77]: wlan0 b8:27:eb:12:34:56 psk="WinterCoffee" on cafe-corner for Cornerhouse
2026-03-01T11:00:04+0100 quarto-pi[77]: the watchdog was fed"""
KERNEL = "[1.2] spi-bcm2835 fe204000.spi: no tx-dma\n[1.3] Bluetooth: hello\n[9.1] hwmon1: Undervoltage detected!\n"
KERNEL += "[1.4] usb 1-1: SerialNumber: 0123ABCD4567\n[0.1] Command line: root=PARTUUID=4c1f0a7e-02 spi\n"
KERNEL += "[1.9] EXT4-fs (mmcblk0p2): mounted filesystem aa11bb22-cc33-dd44-ee55-ff6677889900"


@pytest.fixture
def place(bench: Workbench) -> ConfigPlace:
    text = '# my pin = "commented99" was too short\n[page]\npin = "geheim4711"\n[game]\nlevel = 4\n'
    file = bench.write("etc/quarto-pi/quarto-pi.toml", text)
    bench.write("etc/quarto-pi/conf.d/pin.toml", "[page]\npin = 'dropped815'\n")
    bench.program("journalctl", f"cat <<'END'\n{LOG}\nEND")
    bench.program("dmesg", f"cat <<'END'\n{KERNEL}\nEND")
    # The programs stand alone in their folder, and `cat` beside them.
    bench.machine.path("usr/bin/cat").symlink_to("/bin/cat")
    return ConfigPlace(file)


def test_no_secret_is_in_it(bench: Workbench, place: ConfigPlace) -> None:
    findings = [
        Finding("page", ok=False, detail='keeper: "pin = geheim4711" at 192.168.7.31', fix="ask in cafe-corner")
    ]
    texts = bundle(bench.machine, place, findings)
    assert json.loads(texts["findings.json"])["device"] == "page"
    whole = "\n".join(texts.values())
    assert [secret for secret in SECRETS if secret.lower() in whole.lower()] == []


def test_what_helps_is_in_it_and_listed(bench: Workbench, place: ConfigPlace) -> None:
    texts = bundle(bench.machine, place, [Finding("power", ok=False, detail="now under-voltage", fix="use another")])
    assert json.loads(texts["findings.json"])["detail"] == "now under-voltage"
    assert "the watchdog was fed" in texts["log.txt"]
    assert "Undervoltage detected!" in texts["kernel.txt"]
    assert "Bluetooth" not in texts["kernel.txt"]
    assert re.search(r"^game.level = 4  # .*quarto-pi\.toml:5$", texts["configuration.txt"], re.MULTILINE)
    assert "Raspberry Pi 4 Model B" in texts["versions.txt"]
    assert "bookworm" in texts["versions.txt"]
    assert [name for name in texts if name != "README.txt" and name not in texts["README.txt"]] == []


def test_wrong_configuration_is_told_without_its_secrets(bench: Workbench, place: ConfigPlace) -> None:
    bench.write("etc/quarto-pi/quarto-pi.toml", '[page]\npin = "geheim4711"\nprot = 80\n[gme]\n')
    texts = bundle(bench.machine, place, [])
    assert "prot is not a key" in texts["configuration.txt"]
    assert "[gme] is not a section" in texts["configuration.txt"]
    assert "geheim4711" not in "".join(texts.values())


def test_computer_without_any_of_the_programs_gives_what_it_has(bench: Workbench) -> None:
    texts = bundle(bench.machine, ConfigPlace(bench.machine.path("etc/none.toml"), named=False), [])
    assert "use sudo" in texts["log.txt"]
    assert "use sudo" in texts["kernel.txt"]


def test_archive_tells_nobody_who_made_it() -> None:
    with tarfile.open(fileobj=io.BytesIO(archive({"a.txt": "b\n"}, NOON)), mode="r:gz") as tar:
        (entry,) = tar.getmembers()
        assert (entry.name, entry.uid, entry.gid, entry.uname, entry.gname) == ("quarto-pi-support/a.txt", 0, 0, "", "")
        content = tar.extractfile(entry)
        assert content is not None
        assert content.read() == b"b\n"


def test_names_that_are_everybodys_stay_and_so_do_times_and_versions() -> None:
    text = "quarto-pi 0.1.0 at 12:34:56 on localhost 127.0.0.1, pi and python 3.11.2"
    assert Discretion(names=["pi", "quarto-pi", "localhost", "al"]).clean(text) == text


def test_nothing_is_left_of_a_secret_that_begins_as_another_one_does() -> None:
    assert Discretion(["geheim", "geheim4711"]).clean("geheim4711, geheim") == "(secret), (secret)"


def test_check_writes_it_and_tells_what_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, config = tmp_path / "bundle.tar.gz", tmp_path / "board.toml"
    config.write_text("[page]\npin = 12345\n")
    assert main(["check", "--bundle", str(file), "--config", str(config)]) == 0
    assert f"{file} is written" in capsys.readouterr().out
    with tarfile.open(file) as tar:
        assert "quarto-pi-support/findings.json" in tar.getnames()


@given(
    st.sampled_from(["geheim4711", "192.168.7.31", "fe80::ba27:ebff:fe12:3456", "b8:27:eb:12:34:56", "04A1B2C3D4E5F6"]),
    st.text(alphabet=" ,;.=()[]<>\"'/\n\t@-", max_size=5),
    st.text(alphabet=" ,;=()[]<>\"'/\n\t@", max_size=5),
)
def test_no_surroundings_keep_a_secret_in(secret: str, before: str, after: str) -> None:
    for text in (f"at{before} {secret}{after}", f"http://{secret}:8040/", f"[{secret}]:80", f"'{secret}'."):
        assert secret not in Discretion(["geheim4711"]).clean(text)
