"""Tournaments: pairings, results, standings."""
