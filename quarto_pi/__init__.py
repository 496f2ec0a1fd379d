"""quarto-pi: a wooden Quarto board that knows what stands on it."""

__version__ = "0.1.0"
