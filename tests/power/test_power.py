"""Power cuts after any change to the journal's files: what was acknowledged is there, and the file is sound."""

from __future__ import annotations

import pytest

from tests.power.__main__ import live_and_cut


@pytest.mark.parametrize("seed", range(3))
def test_nothing_acknowledged_is_lost_whenever_the_power_is_cut(seed: int) -> None:
    outcome = live_and_cut(seed, share=0.1, ways=2, turns=40)
    assert outcome.cuts > 20
    assert outcome.records > 50


def test_cuts_find_what_a_storage_loses_that_is_not_asked_to_sync() -> None:
    with pytest.raises(AssertionError):
        live_and_cut(0, share=0.3, ways=2, turns=40, synchronous="NORMAL")
