"""Looking at every part of the board and of the computer below it, and saying what to do about what is not well.

| module | what it looks at |
|---|---|
| `program` | the program itself: search, opening book, languages |
| `readers`, `displays` | what is wired to the board |
| `tags`, `kept` | the file that says which tag is which piece; the journal |
| `configuration` | which files count, and who can read them |
| `buses` | the computer's buses and pins: there, and for this user |
| `pi` | which Pi it is, its memory, temperature and voltage |
| `clock`, `storage` | the time of day, and the place for what has to be remembered |
| `page`, `service` | whether the page can be served, and how the service is doing |
| `bundle`, `discretion` | what is handed on to those who help, and what is not |

`machine` is the computer as these modules see it: files below a root, and programs. `plan` puts them together.
"""
