"""`python3 -m card COMMAND`."""

import sys

from card.commands import main

sys.exit(main(sys.argv[1:]))
