"""Puts a board together from its configuration: readers, buttons, outputs, journal and page, real or simulated."""
