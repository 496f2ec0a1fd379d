"""The running controller: its loops, what they look at, and what waits until it is safe."""
