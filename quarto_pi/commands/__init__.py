"""The commands of `quarto-pi`: a module has one, or some that belong together, each a `Command`, which `cli` lists."""
