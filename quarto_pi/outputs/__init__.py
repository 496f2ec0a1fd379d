"""Those who do what the referee wants to be shown: screen, lamps, voice. None of them ever holds the loop up."""
