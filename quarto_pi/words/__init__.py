"""All sentences that people meet at the board, in each of its languages.

`Words` is what there is to it; which module holds which sentences:

| module | what it says |
|---|---|
| `turns` | whose turn it is and what is to be done |
| `endings` | how a game ends: calls, alignments that were missed, who has won |
| `corrections` | which piece has to go where |
| `conditions` | the board itself: why it has not begun as its owner wants it, readers, time, what could not be kept |
| `choices` | the menu |
| `boards` | invitations of other boards, and whether they are there |
| `first_start` | the set-up by phone, mistakes in the owner's settings file, the guide that gives every piece its tag |
| `coaching` | what the coach thinks of a move, and what is to be learnt from a game |
| `teaching` | how to play, invitations, statistics |
| `page` | what only the page says |
| `hub_page` | what the page of a hub says besides |
| `typed` | what only those read who play at a keyboard |
| `words` | all of them together, in one language |
| `terms` | pieces, squares, alignments; who is called what |
| `catalogue` | where the translations come from |
| `compiling` | how they are compiled, wherever quarto-pi is built |

English is the language of the sources; the others are in `locale/`, and `make words` brings them up to date.
"""

from quarto_pi.words.catalogue import UnknownLanguage as UnknownLanguage
from quarto_pi.words.teaching import Statistic as Statistic
from quarto_pi.words.teaching import TeachingPage as TeachingPage
from quarto_pi.words.typed import TypedWords as TypedWords
from quarto_pi.words.words import Words as Words
