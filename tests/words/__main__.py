"""`make words`: extracts all sentences from the sources, and updates and compiles the catalogues."""

from tests.words.catalogues import bring_up_to_date

for line in bring_up_to_date():
    print(line)
