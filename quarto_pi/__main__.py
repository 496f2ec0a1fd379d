"""`python -m quarto_pi` is the command `quarto-pi`."""

import sys

from quarto_pi.cli import main

if __name__ == "__main__":
    sys.exit(main())
