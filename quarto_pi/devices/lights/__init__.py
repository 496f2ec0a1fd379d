"""Lamps of the panel and lights under the squares: patterns, and the hardware that shows them."""
