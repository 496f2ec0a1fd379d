"""What gets installed: the light base, and the two sets of packages for the two kinds of Pi."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from installing.release import release_in

from quarto_pi import __version__
from quarto_pi.languages import LANGUAGES

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GPIO_PACKAGES = {"rpi.gpio", "rpi-lgpio"}
WITHOUT_DEPENDENCIES = PROJECT["tool"]["quarto-pi"]["without-dependencies"]


class Environment:
    """A fresh virtual environment, filled by the pip of the tests' own."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)  # noqa: S603 - this Python
        self._python = folder / "bin" / "python"

    def run(self, *arguments: str) -> str:
        """What this environment's Python prints."""
        return _said(self._python, *arguments)

    def pip(self, *arguments: str) -> str:
        """What pip prints of this environment."""
        pip = ("-m", "pip", "--disable-pip-version-check", "--python", str(self._python))
        return _said(Path(sys.executable), *pip, *arguments)

    def install(self, *requirements: str, dry_run: bool = False) -> set[str]:
        """Install something, or only look what that would bring; return the names of the distributions."""
        dry = ["--dry-run"] if dry_run else []
        report = json.loads(self.pip("install", "--quiet", *dry, "--report", "-", *requirements))
        return {item["metadata"]["name"].lower() for item in report["install"]}

    def providers_of(self, module_folder: str) -> list[str]:
        """The distributions that bring files into a folder of site-packages."""
        script = (
            "from importlib.metadata import distributions\n"
            f"print(*sorted(d.name for d in distributions() if any(str(f).startswith({module_folder!r})"
            " for f in d.files or [])))"
        )
        return self.run("-c", script).split()


def _said(python: Path, *arguments: str) -> str:
    # To compile all that is installed takes longer than the little that is run of it.
    environment = {**os.environ, "PIP_NO_COMPILE": "1"}
    done = subprocess.run(  # noqa: S603 - a Python of the tests
        [python, *arguments], capture_output=True, text=True, check=False, cwd=ROOT.parent, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path / "venv")


@pytest.mark.campaign
def test_a_pi_4_gets_rpi_gpio_itself_and_mfrc522_with_all_it_asks_for(environment: Environment) -> None:
    installed = environment.install(*EXTRAS["pi4"])
    assert {"mfrc522", "spidev", "gpiozero"} <= installed
    assert installed & GPIO_PACKAGES == {"rpi.gpio"}
    assert environment.providers_of("RPi/GPIO/") == ["RPi.GPIO"]
    assert environment.providers_of("mfrc522/") == ["mfrc522"]
    environment.pip("check")


@pytest.mark.campaign
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="lgpio has no wheel for it: a Pi takes the system's package")
def test_a_pi_5_gets_the_drop_in_alone_and_mfrc522_runs_on_it(environment: Environment) -> None:
    installed = environment.install(*EXTRAS["pi5"])
    assert {"spidev", "gpiozero"} <= installed
    # mfrc522 asks for RPi.GPIO by name, which would come beside the drop-in.
    assert "mfrc522" not in installed
    assert installed & GPIO_PACKAGES == {"rpi-lgpio"}
    environment.pip("install", "--quiet", "--no-deps", *WITHOUT_DEPENDENCIES)
    assert environment.providers_of("RPi/GPIO/") == ["rpi-lgpio"]
    # rpi-lgpio asks the machine for its revision when it is imported; this one is told that of a Pi 5.
    told = "import os; os.environ['RPI_LGPIO_REVISION'] = 'c04170'; import mfrc522, RPi.GPIO; print(RPi.GPIO.__name__)"
    assert environment.run("-c", told) == "RPi.GPIO\n"


def test_every_package_has_a_lower_and_an_upper_bound() -> None:
    for requirement in (*(name for extra in EXTRAS.values() for name in extra), *WITHOUT_DEPENDENCIES):
        assert ">=" in requirement
        assert ",<" in requirement
    assert set(WITHOUT_DEPENDENCIES) <= set(EXTRAS["pi4"])


def test_the_installed_version_is_the_package_s_one_version_number() -> None:
    assert metadata.version("quarto-pi") == __version__


@pytest.mark.slow
def test_what_is_built_needs_nothing_else_and_has_a_compiled_catalogue_for_every_language(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the installer builds it: of a copy of the sources in which nothing is that was made here."""
    release_in(ROOT).copy_to(tmp_path / "source")
    assert not list((tmp_path / "source").rglob("*.mo"))
    # As where there is no compiler: the search is not looked at here, and to compile it takes long.
    monkeypatch.setenv("CC", "false")
    environment.pip("wheel", "--quiet", "--no-deps", "--wheel-dir", f"{tmp_path}", f"{tmp_path / 'source'}")
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        named = {Path(name).parts[-3] for name in packed.namelist() if name.endswith(".mo")}
        assert not [name for name in packed.namelist() if name.endswith((".po", ".pot"))]
    assert named == {language for language in LANGUAGES if language != "en"}
    assert environment.install(f"{wheel}", dry_run=True) == {"quarto-pi"}
