from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.engine.book import build_retrieval


@given(st.dictionaries(st.integers(0, 2**64 - 1), st.integers(0, 3)))
def test_every_key_gets_the_value_that_was_kept_for_it(values: dict[int, int]) -> None:
    kept = build_retrieval(values)
    assert {key: kept[key] for key in values} == values


def test_a_large_table_takes_about_two_and_a_half_bits_a_key() -> None:
    draw = Random(1)
    values = {draw.getrandbits(56): draw.randrange(3) for _ in range(20_000)}
    kept = build_retrieval(values)
    assert {key: kept[key] for key in values} == values
    assert len(kept.cells) * 8 < 2.6 * len(values)
