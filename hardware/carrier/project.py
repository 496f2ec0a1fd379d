"""The project beside each board: what KiCad's design rule check holds it against."""

from __future__ import annotations

import json

from hardware.carrier.board_file import LETTER, SILK
from hardware.carrier.copper import CLEARANCE, EDGE, Rules, whole


def project_text(asked: Rules) -> str:
    """A project of KiCad with the rules of `copper.py`."""
    signal = asked.signal
    rules = {
        "min_clearance": asked.clearance,
        "min_copper_edge_clearance": EDGE,
        "min_track_width": signal.width,
        "min_via_diameter": signal.via,
        "min_via_annular_width": min(0.2, whole((signal.via - signal.drill) / 2)),
        "min_through_hole_diameter": signal.drill,
        "min_hole_clearance": CLEARANCE,
        "min_hole_to_hole": asked.holes,
        "min_silk_clearance": 0.0,
        # Every pad on ground has a track of its own; the plane's spokes come on top.
        "min_resolved_spokes": 1,
        "min_text_height": LETTER,
        "min_text_thickness": SILK,
        "solder_mask_to_copper_clearance": 0.0,
    }
    # Its library is not needed to open the board: `make carrier` compares the pads with it in its own way.
    severities = {"lib_footprint_issues": "ignore", "lib_footprint_mismatch": "ignore"}
    default = {
        "name": "Default",
        "clearance": asked.clearance,
        "track_width": signal.width,
        "via_diameter": signal.via,
        "via_drill": signal.drill,
    }
    settings = {"rules": rules, "rule_severities": severities}
    project = {
        "board": {"design_settings": settings},
        "meta": {"version": 1},
        "net_settings": {"classes": [default], "meta": {"version": 2}},
    }
    return json.dumps(project, indent=2) + "\n"
