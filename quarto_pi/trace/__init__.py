"""Table traces: what the sensors saw in an evening, as JSON lines, written by the controller and replayed.

format     the first line, and reading all of them
recorder   writing one
replay     the evening once more
story      a game as it was told
"""
