"""What `make` sets up, with stand-ins for pip and apt: what is installed when, and what is said when it fails."""
