"""The commands of `quarto-pi`: each module has one, a `Command`, which `cli` lists."""
