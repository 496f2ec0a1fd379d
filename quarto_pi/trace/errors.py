"""What is wrong with a trace."""

from __future__ import annotations

from quarto_pi.rules import QuartoError


class TraceError(QuartoError, ValueError):
    """A trace that cannot be replayed; the text names the line, says what is wrong with it and what it should be."""
