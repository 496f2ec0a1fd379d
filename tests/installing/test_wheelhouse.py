"""What is fetched for an upgrade: with a real pip, small packages and an index that counts what it is asked for."""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from installing.machine import Board
from installing.telling import InstallError, Report
from installing.wheelhouse import BUILD, Fetcher, requirements_of

pytestmark = pytest.mark.slow

HERE = Path(sys.executable)
TOOLS = ("setuptools", "wheel", "packaging")


def wheel(name: str, version: str) -> tuple[str, bytes]:
    """A package that has nothing in it: its file's name, and what stands in it."""
    stored = io.BytesIO()
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(stored, "w") as file:
        # Without a date: the same version is the same file.
        for part, text in (
            (f"{name}.py", f"version = '{version}'\n"),
            (f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"),
            (f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
            (f"{about}/RECORD", ""),
        ):
            file.writestr(zipfile.ZipInfo(part), text)
    return f"{name}-{version}-py3-none-any.whl", stored.getvalue()


class Index:
    """A package index on this machine, in a folder, and what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        self._folder = folder
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                asked.append(self.path)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=f"{folder}"))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def offer(self, name: str, version: str) -> str:
        """Have a package, and return the line that pins it."""
        file, content = wheel(name, version)
        (self._folder / name).mkdir(exist_ok=True)
        (self._folder / name / file).write_bytes(content)
        files = "".join(f'<a href="{each.name}">{each.name}</a>' for each in (self._folder / name).glob("*.whl"))
        (self._folder / name / "index.html").write_text(f"<!DOCTYPE html><html><body>{files}</body></html>")
        return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(content).hexdigest()}\n"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    folder = tmp_path / "index"
    folder.mkdir()
    index = Index(folder)
    thread = Thread(target=index.server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("PIP_INDEX_URL", index.address)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_RETRIES", "0")
    yield index
    index.server.shutdown()
    index.server.server_close()
    thread.join()


def pins(folder: Path, build: str, packages: str) -> Path:
    folder.mkdir()
    (folder / BUILD).write_text(build, encoding="utf-8")
    (folder / requirements_of(Board.SIMULATED)).write_text(packages, encoding="utf-8")
    return folder


def test_upgrade_fetches_what_is_pinned_anew_and_nothing_else(tmp_path: Path, index: Index) -> None:
    kept, old, new = index.offer("kept", "1.0"), index.offer("changed", "1.0"), index.offer("changed", "2.0")
    installed, report = tmp_path / "installed", Report(1, io.StringIO())
    installed.mkdir()
    for name in ("kept", "changed"):
        file, content = wheel(name, "1.0")
        (installed / file).write_bytes(content)
    fetcher, pip = Fetcher(HERE, None, report, (tmp_path / "gone", installed)), HERE
    for pinned, asked in ((kept + old, set()), (kept + new, {"changed"})):
        index.asked.clear()
        requirements, wheelhouse = tmp_path / "pinned.txt", tmp_path / f"{len(asked)}"
        requirements.write_text(f"# Pinned\n{pinned}", encoding="utf-8")
        wheelhouse.mkdir()
        fetcher._download(pip, wheelhouse, requirements)
        assert {path.split("/")[1] for path in index.asked} == asked
        assert len(list(wheelhouse.iterdir())) == 2
    # A file that was tampered with where it is installed has another checksum, so it is fetched.
    (installed / "kept-1.0-py3-none-any.whl").write_bytes(b"something else")
    fetcher._download(pip, tmp_path, requirements)
    assert (tmp_path / "kept-1.0-py3-none-any.whl").read_bytes() == wheel("kept", "1.0")[1]


@pytest.mark.campaign
def test_upgrade_with_equal_pins_needs_no_network(tmp_path: Path, index: Index) -> None:
    build = "".join(index.offer(name, "1.0") for name in TOOLS)
    pinned = pins(tmp_path / "pins", build, index.offer("kept", "1.0"))
    fetched, report = tmp_path / "first", Report(1, io.StringIO())
    Fetcher(HERE, None, report).fill(fetched, pinned, Board.SIMULATED)
    index.server.shutdown()
    index.server.server_close()
    Fetcher(HERE, None, report, (fetched,)).fill(tmp_path / "second", pinned, Board.SIMULATED)
    names = [sorted(each.name for each in folder.iterdir()) for folder in (fetched, tmp_path / "second")]
    assert names[0] == names[1]
    with pytest.raises(InstallError, match="Is the network there"):
        Fetcher(HERE, None, report).fill(tmp_path / "third", pinned, Board.SIMULATED)
