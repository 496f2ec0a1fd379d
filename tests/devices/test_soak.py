"""Evenings with random hands and random faults: no UID that is not there, and everything heals.

`make soak` lives through a week of them.
"""

import pytest

from quarto_pi.devices.readers.exchange import Steps
from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.devices.readers.polling import Poll
from tests.soak.readers import live_through

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mode", FieldMode)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.campaign)])
def test_an_evening_of_faults_yields_no_uid_that_is_not_there_and_heals(mode: FieldMode, seed: int) -> None:
    live_through(mode, seed, sweeps=60)


@pytest.mark.parametrize("mode", FieldMode)
def test_a_poll_that_takes_any_tag_for_the_one_that_it_knows_is_found_out(
    mode: FieldMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    def takes_any(_: Poll, __: bytes) -> Steps[None]:
        yield from ()

    monkeypatch.setattr(Poll, "_recognise", takes_any)
    with pytest.raises(AssertionError, match="at a place where only"):
        live_through(mode, 0, sweeps=100)
