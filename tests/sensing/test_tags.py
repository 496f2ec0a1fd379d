"""Tags and their file: what is written can be read again, and what is wrong gets one sentence that says where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable, format_tags, parse_tags, parse_uid
from tests.sensing.hands import TAGS, UIDS
from tests.sensing.watched import DSQH, LTRF

GOOD = format_tags(TAGS)
FIRST = f'LTRF = ["{UIDS[LTRF]}"]'
LAST = f'DSQH = ["{UIDS[DSQH]}"]'

uids = st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)).map(bytes.hex)


@pytest.mark.slow
@given(st.lists(uids, min_size=16, max_size=40, unique=True))
def test_a_table_that_is_written_is_read_again(drawn: list[str]) -> None:
    table = TagTable({uid.upper(): PIECES[index % 16] for index, uid in enumerate(drawn)})
    assert parse_tags(format_tags(table)) == table


@pytest.mark.parametrize("value", ["[" * 5000, "9" * 5000], ids=["deep", "long"])
def test_value_that_nobody_means_is_refused_in_one_line(value: str) -> None:
    with pytest.raises(TagsError, match=r"^tags.toml: this is not TOML"):
        parse_tags(f"a = {value}")


@pytest.mark.slow
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    with pytest.raises(TagsError, match=r"^tags.toml.*\.$") as caught:
        parse_tags(text)
    assert len(str(caught.value).splitlines()) == 1


def test_a_piece_may_have_several_tags_and_be_written_in_any_order_and_case() -> None:
    table = parse_tags(GOOD.replace(FIRST, 'frlt = ["04:a1:b2:c3", "de ad be ef"]'))
    assert table.uids_of(LTRF) == ("04A1B2C3", "DEADBEEF")
    assert table.piece_of("DEADBEEF") == LTRF
    assert table.piece_of("00000000") is None
    assert table.missing == ()


def test_a_table_from_a_trace_need_not_name_every_piece() -> None:
    table = TagTable.from_codes({"04a1b2c3": "LTRF", "04a1b2c4": "LTRF"})
    assert table.uids_of(LTRF) == ("04A1B2C3", "04A1B2C4")
    assert len(table.missing) == 15
    with pytest.raises(TagsError, match="the UID 04A1B2C3 is there twice"):
        TagTable.from_codes({"04a1b2c3": "LTRF", "04:A1:B2:C3": "DSQH"})


@pytest.mark.parametrize("text", ["04A1B2C3", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6A7B8C9", "04:a1:b2:c3", " 04 a1 b2 c3 "])
def test_uids_of_four_seven_and_ten_bytes_are_read(text: str) -> None:
    assert parse_uid(text) == text.replace(":", "").replace(" ", "").upper()


BAD = {
    "": "tags.toml: the section [tags] is missing: begin with it, then a line for each piece.",
    "tags = 3": "tags.toml: the section [tags] is missing: begin with it, then a line for each piece.",
    GOOD.replace("[tags]", "[tgas]"): "tags.toml: '[tgas]' does not belong here: did you mean [tags]?",
    "name = 3\n" + GOOD: "tags.toml: 'name' does not belong here: there is one section, [tags].",
    GOOD.replace(FIRST, ""): "tags.toml, [tags]: no tag for LTRF: every one of the sixteen pieces needs at least one.",
    GOOD.replace(FIRST, "").replace(LAST, ""): "tags.toml, [tags]: no tag for LTRF, DSQH: "
    "every one of the sixteen pieces needs at least one.",
    GOOD + 'FRTL = ["04A1B2C3"]\n': "tags.toml, [tags] FRTL: this is the same piece as LTRF: "
    "write all its UIDs in one line.",
    GOOD + 'LTRF = ["04A1B2C3"]\n': "tags.toml, [tags] LTRF: line 18 has this key a second time: "
    "write all its UIDs in one line.",
    GOOD.replace("LTRF", "LTRX"): "tags.toml, [tags] LTRX: there is no such piece: did you mean LTRH?",
    GOOD.replace("LTRF", "pawn"): "tags.toml, [tags] pawn: there is no such piece: a piece is written like LTRF.",
    GOOD.replace(FIRST, 'LTRF = "04A1B2C3"'): 'tags.toml, [tags] LTRF: the UIDs are not in a list: write ["04A1B2C3"].',
    GOOD.replace(FIRST, "LTRF = [4]"): "tags.toml, [tags] LTRF: this is not a list of UIDs in quotes: "
    'write it like ["04A1B2C3D4E5F6"].',
    GOOD.replace(FIRST, "LTRF = []"): "tags.toml, [tags] LTRF: the list is empty: every piece needs at least one tag.",
    GOOD.replace(FIRST, 'LTRF = ["04A1B2"]'): "tags.toml, [tags] LTRF: '04A1B2' is not a UID: "
    "it has 3 bytes, and there are UIDs of 4, 7 and 10.",
    GOOD.replace(FIRST, 'LTRF = ["04A1B2C"]'): "tags.toml, [tags] LTRF: '04A1B2C' is not a UID: "
    "it has 7 hex digits, and each byte takes two.",
    GOOD.replace(FIRST, 'LTRF = ["04A1B2CX"]'): "tags.toml, [tags] LTRF: '04A1B2CX' is not a UID: "
    "write 4, 7 or 10 bytes in hex, such as 04A1B2C3D4E5F6.",
    GOOD.replace(FIRST, 'LTRF = ["04A1B2C3", "04a1b2c3"]'): "tags.toml, [tags] LTRF: the UID 04A1B2C3 is "
    "twice in this line: a tag belongs to one piece, once.",
    GOOD.replace(LAST, f'DSQH = ["{UIDS[LTRF]}"]'): f"tags.toml, [tags] DSQH: the UID {UIDS[LTRF]} is "
    "also under LTRF: a tag belongs to one piece, once.",
    GOOD.replace(FIRST, "LTRF = 04A1B2C3"): "tags.toml, line 2: 'LTRF = 04A1B2C3' is not TOML: "
    'write lines like LTRF = ["04A1B2C3D4E5F6"].',
    GOOD.replace(FIRST, 'LTRF = ["04A1B2C3"'): "tags.toml, line 3: 'LTRH = [\"" + UIDS[PIECES[1]] + "\"]' is not TOML: "
    'write lines like LTRF = ["04A1B2C3D4E5F6"].',
}


@pytest.mark.parametrize(("text", "sentence"), BAD.items(), ids=range(len(BAD)))
def test_a_wrong_tags_file_gets_one_sentence_that_names_file_section_and_key(text: str, sentence: str) -> None:
    with pytest.raises(TagsError) as caught:
        parse_tags(text)
    assert str(caught.value) == sentence


def test_the_file_is_named_as_its_reader_calls_it() -> None:
    with pytest.raises(TagsError, match=r"^/etc/quarto-pi/tags.toml: the section"):
        parse_tags("", "/etc/quarto-pi/tags.toml")
