"""The folder in which the board keeps what it has to remember."""

from pathlib import Path

import pytest

from quarto_pi.config import state_folder


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/quarto-pi", "HOME": "/home/ada"}, "/var/lib/quarto-pi"),
        ({"STATE_DIRECTORY": "/var/lib/quarto-pi:/var/lib/other"}, "/var/lib/quarto-pi"),
        ({"STATE_DIRECTORY": "", "HOME": "/home/ada"}, "/home/ada/.local/state/quarto-pi"),
        ({"XDG_STATE_HOME": "/data/state", "HOME": "/home/ada"}, "/data/state/quarto-pi"),
        ({"XDG_STATE_HOME": "state", "HOME": "/home/ada"}, "/home/ada/.local/state/quarto-pi"),
    ],
)
def test_state_is_kept_where_the_service_manager_says_or_in_the_users_own_place(
    environ: dict[str, str], folder: str, tmp_path: Path
) -> None:
    assert state_folder(environ, tmp_path / "no-service") == Path(folder)


def test_who_asks_from_a_shell_means_the_board_of_the_service_if_there_is_one(tmp_path: Path) -> None:
    assert state_folder({"HOME": "/home/keeper"}, tmp_path) == tmp_path
    assert state_folder({"STATE_DIRECTORY": "/srv/other", "HOME": "/home/keeper"}, tmp_path) == Path("/srv/other")
