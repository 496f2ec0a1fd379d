"""The edges of the controller: what it reads and what it drives.

`readers` is what everybody above knows of the readers, `reader_kinds` what they may hang on.
"""
