"""One side of a comparison of two commits: runs by itself, with the search of whichever of them is on its path."""

from __future__ import annotations

import json
import sys
import time

from quarto_pi.engine import kernel


def main() -> None:
    """Search the positions of standard input one after the other with one table; print nodes, seconds and values."""
    asked = json.load(sys.stdin)
    search = kernel.Search(asked["squares"], 15, asked["table_mb"] << 20)
    nodes, values = 0, []
    begun = time.process_time()
    for board, hand in asked["positions"]:
        search.start()
        values.append(search.value(board, hand))
        nodes += search.nodes
    seconds = time.process_time() - begun
    json.dump({"kernel": kernel.__file__, "nodes": nodes, "seconds": seconds, "values": values}, sys.stdout)


if __name__ == "__main__":
    main()
