"""Lamps of the panel and lights under the squares.

patterns   brightness in time; colours; how they are connected
panel      the panel's, on pins
squares    a strip of APA102 under the squares
"""
