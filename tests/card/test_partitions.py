import json
import subprocess
from pathlib import Path

import pytest
from card.partitions import ALIGNMENT, MEBIBYTE, SECTOR, NotOurTableError, Table, laid_out, read_table
from card_build.boot_files import PROGRAMS_PATH
from card_build.layout import card_table

TABLE = laid_out(0x12345678, (8, 4, 4), (8, 8, 4))


def written(table: Table) -> dict[int, bytes]:
    return dict(table.sectors())


def read_from(sectors: dict[int, bytes]) -> Table:
    return read_table(lambda sector: sectors.get(sector, bytes(SECTOR)))


def test_a_table_that_was_written_is_read_again() -> None:
    assert read_from(written(TABLE)) == TABLE
    assert read_from(written(card_table())) == card_table()


def test_partitions_are_numbered_as_linux_and_the_firmware_do() -> None:
    assert [TABLE.partition(number).sectors // MEBIBYTE for number in (1, 2, 3, 5, 6, 7)] == [8, 4, 4, 8, 8, 4]


def test_no_two_partitions_share_what_a_card_erases_at_once() -> None:
    starts = [TABLE.partition(number).start for number in (1, 2, 3, 4, 5, 6, 7)]
    assert all(start % ALIGNMENT == 0 for start in starts)


def sfdisk(what: str, image: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - an image of our own
        ["sfdisk", what, image],  # noqa: S607 - the usual one
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": PROGRAMS_PATH},
    )


def test_another_program_reads_the_same_table(tmp_path: Path) -> None:
    image = tmp_path / "card.img"
    with image.open("wb") as card:
        card.truncate(TABLE.extended.end * SECTOR)
        for sector, content in TABLE.sectors().items():
            card.seek(sector * SECTOR)
            card.write(content)
    told = sfdisk("--json", image)
    found = {each["node"][-1]: each for each in json.loads(told.stdout)["partitiontable"]["partitions"]}
    for number in (1, 2, 3, 4, 5, 6, 7):
        partition = TABLE.partition(number)
        seen = found[str(number)]
        assert (seen["start"], seen["size"]) == (partition.start, partition.sectors)
    assert sfdisk("--verify", image).returncode == 0


def test_the_last_partition_grows_to_the_end_and_nothing_else_moves() -> None:
    grown = TABLE.grown(1024 * MEBIBYTE + 5)
    assert grown.logical[-1].end == grown.extended.end == 1024 * MEBIBYTE // ALIGNMENT * ALIGNMENT
    assert [grown.partition(number) for number in (1, 2, 3, 5, 6)] == [TABLE.partition(n) for n in (1, 2, 3, 5, 6)]
    assert grown.grown(1024 * MEBIBYTE) == grown


def test_a_card_that_is_smaller_than_its_table_is_left_as_it_is() -> None:
    assert TABLE.grown(10 * MEBIBYTE) is TABLE


def test_growing_that_is_cut_off_after_any_write_goes_on_and_harms_no_partition() -> None:
    size = 512 * MEBIBYTE
    grown = TABLE.grown(size)
    sectors = written(TABLE)
    changed = [(sector, content) for sector, content in grown.sectors().items() if sectors[sector] != content]
    assert len(changed) == 3
    for sector, content in changed:
        sectors[sector] = content
        found = read_from(sectors)
        assert [found.partition(number) for number in (1, 2, 3, 5, 6)] == [TABLE.partition(n) for n in (1, 2, 3, 5, 6)]
        assert found.logical[-1].start == TABLE.logical[-1].start
        assert found.extended.end >= found.logical[-1].end
        assert found.grown(size) == grown


def test_a_table_of_somebody_else_is_refused_in_a_sentence() -> None:
    sectors = written(TABLE)
    with pytest.raises(NotOurTableError, match="no partition table"):
        read_from({})
    foreign = bytearray(sectors[0])
    foreign[446 + 4] = 0xEE
    with pytest.raises(NotOurTableError, match="another partition table"):
        read_from({**sectors, 0: bytes(foreign)})


def test_a_table_that_leads_in_a_circle_is_refused() -> None:
    sectors = written(TABLE)
    first = TABLE.logical[0].start - ALIGNMENT
    circle = bytearray(sectors[first])
    # The link leads to where it stands.
    circle[446 + 16 + 8 : 446 + 16 + 12] = bytes(4)
    with pytest.raises(NotOurTableError, match="circle"):
        read_from({**sectors, first: bytes(circle)})
