"""The file that says which tag is which piece: there, complete, no tag twice."""

from __future__ import annotations

from quarto_pi.checks.finding import Finding
from quarto_pi.config import Config
from quarto_pi.guide_wiring import tags_file_of
from quarto_pi.sensing.errors import TagsError


def tags(config: Config) -> Finding:
    """The tags of the pieces."""
    file = tags_file_of(config)
    try:
        is_there = file.exists()
    except PermissionError:
        return Finding("tags", ok=False, detail=f"{file.path} may not be looked at", fix="sudo quarto-pi check")
    try:
        table = file.read()
    except TagsError as error:
        # The guide goes on from what is there; what is wrong there is put right, or begun anew.
        fix = "put the file right, or run 'quarto-pi enrol --anew'" if is_there else "run 'quarto-pi enrol'"
        return Finding("tags", ok=False, detail=str(error).rstrip("."), fix=fix)
    return Finding("tags", ok=True, detail=f"{len(table.pieces)} tags for sixteen pieces, in {file.path}")
