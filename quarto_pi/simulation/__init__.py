"""A table with tags, chips and wires that stands below the real drivers."""
