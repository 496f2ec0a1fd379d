"""How long a search may go on: a number of nodes, a moment, or until somebody says stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

NO_LIMIT = 2**62


class OutOfBudget(Exception):
    """The search had to end before it knew the answer."""


@dataclass(slots=True)
class Budget:
    """What is left for a search. `stop` is asked every few thousand nodes; time is the asker's business."""

    nodes: int = NO_LIMIT
    stop: Callable[[], bool] = lambda: False

    def spend(self, nodes: int) -> None:
        """Take nodes that were searched off the budget; raise once nothing is left."""
        self.nodes -= nodes
        if self.nodes <= 0 or self.stop():
            raise OutOfBudget
