"""What a small one-bit display shows of a game: from a `View` and the words of a language to a picture.

Pure functions above Pillow, without a device and without a memory: the same view at the same moment is the same
picture (D8). Motion is a function of the time that is handed in.

    drawing         the picture of a view: `draw`; the menu; who plays at the table of a tournament
    scene           which headline, picture and sentence belong to a view
    layout          where they stand on a display of a given size
    attract         what is shown while nobody plays
    first_start     the set-up by phone, and the guide
    boards, icons   pictures: pieces and boards; signs and the QR code
    text            letters, and sentences that fit their place
"""

from quarto_pi.screens.drawing import draw as draw
