"""Circuit boards to order: placed by hand, routed and checked by program, judged by KiCad.

`carrier.toml` says where parts sit, `footprints.toml` how their pads lie; what is joined to what comes from
`board.toml`.
"""
