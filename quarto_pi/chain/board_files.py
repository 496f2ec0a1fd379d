"""The files that a hub makes for a board, by their names, and where they lie on a board that has them."""

from __future__ import annotations

from typing import Final

CREDENTIALS_FILE: Final = "credentials"
CA_FILE: Final = "ca.pem"
"""The certificate of the authority that has signed the broker's."""
SECTION_FILE: Final = "chain.toml"
"""The section `[chain]` of the board's configuration."""
PLACE_ON_BOARD: Final = "/etc/quarto-pi/chain"
