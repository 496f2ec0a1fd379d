"""`python -m card_build`, with `systemd` on Python's path."""

import sys
from pathlib import Path

from card_build.make import main

sys.exit(main(sys.argv[1:], Path(__file__).resolve().parents[2]))
