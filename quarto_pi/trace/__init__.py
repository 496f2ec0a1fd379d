"""Table traces: what the sensors saw in an evening, as JSON lines, written by the controller and replayed.

header, reader   reading one
recorder         writing one
replay           the evening once more
story            a game as it was told
"""
