"""The edges of the controller: what it reads and what it drives."""
