"""An opponent that never loses and one that a child beats: search, opening book, levels, coach, line protocol."""
