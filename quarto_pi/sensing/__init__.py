"""What the readers saw, and what it means for the board."""
