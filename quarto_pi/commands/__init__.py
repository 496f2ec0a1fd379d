"""The commands of `quarto-pi`: each module tells its options with `options` and does its work with `run`."""
