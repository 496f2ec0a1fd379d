"""The project beside each board: what KiCad's design rule check holds it against."""

from __future__ import annotations

import json

from hardware.carrier.copper import CLEARANCE, EDGE, SIGNAL


def project_text() -> str:
    """A project of KiCad with the rules of `copper.py`."""
    rules = {
        "min_clearance": CLEARANCE,
        "min_copper_edge_clearance": EDGE,
        "min_track_width": SIGNAL.width,
        "min_via_diameter": SIGNAL.via,
        "min_via_annular_width": 0.2,
        "min_through_hole_diameter": SIGNAL.drill,
        "min_hole_clearance": CLEARANCE,
        "min_hole_to_hole": 0.5,
        "min_silk_clearance": 0.0,
        # Every pad on ground has a track of its own; the plane's spokes come on top.
        "min_resolved_spokes": 1,
        "min_text_height": 0.8,
        "min_text_thickness": 0.12,
        "solder_mask_to_copper_clearance": 0.0,
    }
    # Its library is not needed to open the board: `make carrier` compares the pads with it in its own way.
    severities = {"lib_footprint_issues": "ignore", "lib_footprint_mismatch": "ignore"}
    default = {
        "name": "Default",
        "clearance": CLEARANCE,
        "track_width": SIGNAL.width,
        "via_diameter": SIGNAL.via,
        "via_drill": SIGNAL.drill,
    }
    settings = {"rules": rules, "rule_severities": severities}
    project = {
        "board": {"design_settings": settings},
        "meta": {"version": 1},
        "net_settings": {"classes": [default], "meta": {"version": 2}},
    }
    return json.dumps(project, indent=2) + "\n"
