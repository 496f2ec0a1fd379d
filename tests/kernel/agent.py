"""Runs commands and asks the page for the tests, in the virtual machine: one JSON object a line, in and out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

Json = dict[str, Any]


def run(command: list[str], seconds: float) -> Json:
    """What a command says, and how it ends."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"code": -1, "said": "", "error": f"not within {seconds} s"}
    except OSError as error:
        return {"code": -1, "said": "", "error": f"{error}"}
    return {"code": done.returncode, "said": done.stdout, "error": done.stderr}


def ask(url: str) -> Json:
    """What the page answers."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310 - the board's own page
            return {"text": answer.read().decode()}
    except (OSError, urllib.error.URLError) as error:
        return {"error": str(error)}


def main() -> None:
    """Serve for ever."""
    port = os.open(sys.argv[1], os.O_RDWR | os.O_CLOEXEC)
    heard = b""
    while True:
        came = os.read(port, 1 << 16)
        if not came:
            # Nobody is at the other end yet.
            time.sleep(0.1)
            continue
        *lines, heard = (heard + came).split(b"\n")
        for line in lines:
            said = json.loads(line)
            answer = ask(said["ask"]) if "ask" in said else run(said["run"], said["seconds"])
            data = json.dumps(answer).encode() + b"\n"
            while data:
                data = data[os.write(port, data) :]


if __name__ == "__main__":
    main()
