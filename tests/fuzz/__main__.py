"""Look for inputs that break something: `make fuzz`, or `python -m tests.fuzz [TARGET ...] --seconds N`.

What is found new is kept in build/fuzz, so that the next campaign begins where this one ended; the input that broke
something stays there as well, and `--try FILE` runs a target with it alone.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

from tests.bench.measure import table
from tests.fuzz.targets import SEEDS, TARGETS

FOLDER = Path("build/fuzz")
SECONDS = 120
OPTIONS = ("-timeout=30", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1")
"""An input that takes half a minute hangs; one that takes two gigabytes is not bounded."""
_EXECUTIONS = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
_SPEED = re.compile(r"stat::average_exec_per_sec:\s+(\d+)")
_PEAK = re.compile(r"stat::peak_rss_mb:\s+(\d+)")
_COVERAGE = re.compile(r"\bcov: (\d+)")


def main() -> int:
    """Fuzz what was asked for; 1 if anything broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for each target")
    parser.add_argument("--try", type=Path, metavar="FILE", dest="single", help="run one target with this input alone")
    wanted = parser.parse_args()
    unknown = [name for name in wanted.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target {unknown[0]}: choose from {', '.join(TARGETS)}")
    if wanted.single is not None:
        TARGETS[wanted.targets[0]](wanted.single.read_bytes())
        return 0
    if importlib.util.find_spec("atheris") is None:
        parser.error("atheris is not installed: use 'make fuzz', or install quarto-pi with its set 'fuzz'")
    broken = []
    rows = []
    for name in wanted.targets or TARGETS:
        code, row = _campaign(name, wanted.seconds)
        rows.append(row)
        if code:
            broken.append(name)
    table("Fuzzing", ["target", "executions", "a second", "edges covered", "peak MB", "outcome"], rows)
    return 1 if broken else 0


def _campaign(name: str, seconds: int) -> tuple[int, list[str]]:
    """Fuzz one target; what libFuzzer says goes to a file, and to the screen only if something broke."""
    folder = FOLDER / name
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    log = folder / "log.txt"
    command = [sys.executable, "-m", "tests.fuzz.campaign", name, *OPTIONS, f"-max_total_time={seconds}"]
    command += [f"-artifact_prefix={folder}/", str(folder / "corpus"), str(SEEDS / name)]
    print(f"{name}: {seconds} s", flush=True)
    with log.open("w", encoding="utf-8", errors="replace") as file:
        code = subprocess.run(command, check=False, stdout=file, stderr=subprocess.STDOUT).returncode  # noqa: S603
    said = log.read_text(encoding="utf-8", errors="replace")
    if code:
        print(said[-4_000:])
    coverage = _COVERAGE.findall(said)
    row = [name, *(_found(pattern, said) for pattern in (_EXECUTIONS, _SPEED))]
    row += [coverage[-1] if coverage else "-", _found(_PEAK, said), f"broken: see {log}" if code else "nothing found"]
    return code, row


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.findall(text)
    return found[-1] if found else "-"


if __name__ == "__main__":
    sys.exit(main())
