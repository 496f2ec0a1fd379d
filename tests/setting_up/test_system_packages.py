"""`.ci/system-packages` tells what it lacks, and installs it in one go or says what to do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / ".ci/system-packages"
TOOLS = ("bash", "cat", "chmod", "dirname", "env", "grep", "rm", "sed", "id")
ROOTLY = '#!/bin/bash\n[ "$1" = -u ] && echo 0\n'
APT = """#!/bin/bash
echo "$*" >>"$(dirname "$0")/calls"
case "$1" in
update) [ ! -e "$(dirname "$0")/offline" ] ;;
*) cat "$POLICY_RC_D" >"$(dirname "$0")/policy-meanwhile" && "$POLICY_RC_D" mosquitto start
    echo $? >"$(dirname "$0")/said"
    echo "Need to get 199 MB of archives." && echo "Unpacking much ..." ;;
esac
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs: no compiler, no browser, an apt that only notes what it is asked for."""
    for tool in TOOLS:
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    (tmp_path / "python").symlink_to(sys.executable)
    for name, text in {"apt-get": APT, "id": ROOTLY, "dpkg": "#!/bin/bash\n"}.items():
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(programs: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(programs), "PYTHON": str(programs / "python"), "PYTHONHOME": sys.base_prefix}
    environment |= {"POLICY_RC_D": str(programs / "policy"), "ADMIN_FOLDERS": ""}
    return subprocess.run(  # noqa: S603 # our own script
        [SCRIPT, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_what_is_missing_is_told_and_nothing_is_installed(programs: Path) -> None:
    assert "gcc" in run(programs, "missing", "play").stdout.split()
    assert "chromium-headless-shell" not in run(programs, "missing", "check").stdout.split()
    assert "chromium-headless-shell" in run(programs, "missing", "test").stdout.split()
    assert not (programs / "calls").exists()


def test_no_test_needs_npm_or_a_node_of_the_system(programs: Path) -> None:
    assert {"npm", "nodejs"}.isdisjoint(run(programs, "missing", "test").stdout.split())


def test_it_says_what_for_and_how_much_before_it_installs(programs: Path) -> None:
    done = run(programs, "test")
    assert done.returncode == 0
    assert "the browser that the tests of the page look through" in done.stdout
    assert "Need to get 199 MB" in done.stdout
    assert "Unpacking" not in done.stdout
    asked = (programs / "calls").read_text().splitlines()[-1]
    assert asked.startswith("install --no-install-recommends")
    assert "chromium-headless-shell" in asked.split()


def test_without_a_network_it_ends_where_something_needed_is_missing_and_goes_on_elsewhere(programs: Path) -> None:
    (programs / "offline").touch()
    done = run(programs, "test")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "The package lists could not be fetched (is there a network?): try again, or do 'sudo apt"
    )
    assert len(done.stderr.splitlines()) == 1
    # A game needs no compiler.
    done = run(programs, "play")
    assert (done.returncode, done.stderr) == (0, "")
    assert "going on without gcc" in done.stdout


def test_services_are_not_started_while_they_are_installed_and_only_then(programs: Path) -> None:
    assert "mosquitto" in run(programs, "test").stdout
    assert (programs / "said").read_text().strip() == "101"
    assert not (programs / "policy").exists()
    # Left behind by a script that was killed, it forbids nothing any more.
    left = programs / "left"
    left.write_text((programs / "policy-meanwhile").read_text())
    left.chmod(0o755)
    assert subprocess.run([left, "mosquitto", "start"], check=False).returncode == 0  # noqa: S603


def test_a_machine_that_has_a_say_about_its_services_keeps_it(programs: Path) -> None:
    (programs / "policy").write_text("#!/bin/sh\nexit 104\n")
    (programs / "policy").chmod(0o755)
    run(programs, "test")
    assert (programs / "policy").read_text() == "#!/bin/sh\nexit 104\n"
