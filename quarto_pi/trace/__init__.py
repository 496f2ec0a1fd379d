"""Table traces: what the sensors saw in an evening, as JSON lines, written by the controller and replayed."""
