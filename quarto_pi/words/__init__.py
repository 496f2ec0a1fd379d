"""All sentences that people meet at the board, in each of its languages.

`Words` is what there is to it; which module holds which sentences:

| module | what it says |
|---|---|
| `turns` | whose turn it is and what is to be done |
| `calls` | calls, and the alignments that were missed |
| `endings` | how a game ended |
| `corrections` | which piece has to go where |
| `conditions` | the board itself: welcome, readers, time, switching off |
| `choices` | the menu |
| `boards` | invitations of other boards, and whether they are there |
| `guiding` | the guide to a first start: readers, a tag for every piece |
| `coaching` | what the coach thinks of a move, and what is to be learnt from a game |
| `teaching` | how to play, invitations, statistics |
| `starting` | why the board has not begun as its owner wants it |
| `setting_up` | the set-up by phone, as the display tells it |
| `settings_file` | what is wrong in the owner's settings file on the card, and in the folder of a chain |
| `storage` | the card: what could not be kept, and what was found again |
| `page` | what only the page says |
| `hub_page` | what the page of a hub says besides |
| `typed` | what only those read who play at a keyboard |
| `words` | all of them together, in one language |
| `terms`, `people` | pieces, squares, alignments; who is called what |
| `catalogue` | where the translations come from |
| `compiling` | how they are compiled, wherever quarto-pi is built |

English is the language of the sources; the others are in `locale/`, and `make words` brings them up to date.
"""

from quarto_pi.words.catalogue import UnknownLanguage as UnknownLanguage
from quarto_pi.words.teaching import Statistic as Statistic
from quarto_pi.words.teaching import TeachingPage as TeachingPage
from quarto_pi.words.typed import TypedWords as TypedWords
from quarto_pi.words.words import Words as Words
