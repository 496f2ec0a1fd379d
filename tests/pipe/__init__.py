"""A table over a pipe: programs that play through `quarto-pi replay - --json --shown`, a process of its own."""
