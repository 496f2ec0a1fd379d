"""Schematics of the circuit boards, drawn from the description.

`symbols` draws a part, `arrangement` says which part stands where on the sheet, `sheet_file` writes what KiCad opens,
`sheet_drawing` a picture of the same, and `sheet_reading` works out of a file which pins are joined. KiCad checks the
files with `python3 -m hardware.schematic`.
"""
