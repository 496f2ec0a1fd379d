"""The table of settings: every medium takes each of its rows at both bounds, and refuses what lies beyond them."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import quarto_pi
from quarto_pi.commands.options import add_variants, variants_of, whole_number
from quarto_pi.config import parse_config
from quarto_pi.config.section import as_toml
from quarto_pi.config.whole import chosen_keys
from quarto_pi.engine.opponent import LEVELS
from quarto_pi.engine.protocol import GREETING, EngineSettings, SetOption, change_settings
from quarto_pi.journal.records import as_keys, as_settings
from quarto_pi.referee import PERSON, Seat, Settings, Starter
from quarto_pi.referee.all_settings import BUILT, CHOSEN, MEDIA, SETTINGS, Side, VoiceSetting
from quarto_pi.referee.menu import VALUES, with_item
from quarto_pi.referee.settings import LIKE_ME
from quarto_pi.rules import Calling, FalseCallRule, Game, Options, QuartoError, Record, TimeOut, Trait, parse_record
from quarto_pi.rules.kinds import Medium, MoveTime, Name, TraitList, Truth, WholeNumber, Word
from quarto_pi.rules.options import IN_RECORD, LEVEL, RULES, VARIANTS, Row
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.format import header_of, read_header
from quarto_pi.web.wishes import Refused, settings_as_json, with_wishes

TAGS = {"04A1B2C3": "LTRF"}
KEYS = [row.key for row in SETTINGS]
PLAYERS = ("player_1", "player_2")

FAR = Settings(
    rules=Options(
        squares=True,
        traits=(Trait.COLOUR, Trait.TOP),
        calling=Calling.AUTO,
        false_call=FalseCallRule.FORFEIT,
        time_out=TimeOut.FORFEIT,
        clock_ms=86_400_000,
        latch_ms=86_400_000,
        final_call_ms=86_400_000,
        giving_sensed=False,
    ),
    seats=(Seat(1), Seat(10)),
    starter=Starter.DRAWN,
    offer_reader=False,
    buttons=2,
    undo=False,
    coach=True,
    hindsight=False,
    photo_finish=False,
    voice=False,
    speaks_squares=True,
    quiet=True,
    language="pt",
)
"""Settings that differ from the usual ones in every row, most of them at a bound."""

SPEAKING = Settings(voice=True)


@dataclass(frozen=True)
class Case:
    """One row in one medium."""

    medium: Medium
    row: Row[Settings]

    def __str__(self) -> str:
        return f"{self.medium.name.lower()}-{self.row.key}"


def cases() -> Iterator[Case]:
    """Every row in every medium that has it."""
    table = {row.key: row for row in SETTINGS}
    for medium, rows in MEDIA.items():
        yield from (Case(medium, row) for row in rows)
    yield from (Case(Medium.RECORD, table[row.key]) for row in IN_RECORD)
    yield from (Case(Medium.ENGINE, table[row.key]) for row in VARIANTS)
    yield from (Case(Medium.COMMAND, table[row.key]) for row in VARIANTS)


ALL = list(cases())


def is_for_people(case: Case) -> bool:
    """Whether this medium takes the row from people: the page shows how a board is built, and cannot rebuild it."""
    return case.medium is not Medium.PAGE or case.row.key not in BUILT


# -- through each medium, as it is in use: what is written for this row alone goes in, what was read comes out ----


def through_file(row: Row[Settings], written: object) -> Settings:
    text = f"[game]\n{row.key} = {as_toml(written)}\n"
    return replace(parse_config(text).game.settings(offer_reader=True), voice=True)


def through_journal(row: Row[Settings], written: object) -> Settings:
    keys = json.loads(json.dumps({row.name(Medium.JOURNAL): written}))
    settings = as_settings(keys, SPEAKING)
    # The journal falls back to the file without a word, so the row is asked itself what is wrong.
    assert row.read(settings, keys[row.name(Medium.JOURNAL)], Medium.JOURNAL) == settings
    return settings


def through_trace(row: Row[Settings], written: object) -> Settings:
    line: dict[str, object] = {"trace": 1, "tags": TAGS}
    if row.key in PLAYERS:
        line["players"] = [written if row.key == each else "human" for each in PLAYERS]
    elif row.key in {each.key for each in RULES}:
        line["rules"] = {row.key: written}
    else:
        line[row.key] = written
    return read_header(json.loads(json.dumps(line)), SPEAKING, 3).settings


def through_page(row: Row[Settings], written: object) -> Settings:
    if row.key in PLAYERS:
        return with_wishes(SPEAKING, {"levels": [written if row.key == each else 0 for each in PLAYERS]})
    return with_wishes(SPEAKING, {row.key: written})


def through_record(row: Row[Settings], written: object) -> Settings:
    text = f'[Starter "0"]\n[{row.name(Medium.RECORD)} "{written}"]\n\n1. 7\n'
    return replace(SPEAKING, rules=parse_record(text).game.options)


def through_engine(row: Row[Settings], written: object) -> Settings:
    changed = change_settings(EngineSettings(), SetOption(row.name(Medium.ENGINE), f"{written}"))
    return replace(SPEAKING, rules=changed.options)


def through_command(row: Row[Settings], written: object) -> Settings:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_variants(parser)
    name = f"--{row.name(Medium.COMMAND)}"
    flag = [] if written == "false" else [name]
    words = flag if isinstance(row.kind, Truth) else [name, f"{written}"]
    try:
        return replace(SPEAKING, rules=variants_of(parser.parse_args(words)))
    except argparse.ArgumentError as error:
        raise QuartoError(str(error)) from error


THROUGH: dict[Medium, Callable[[Row[Settings], object], Settings]] = {
    Medium.FILE: through_file,
    Medium.JOURNAL: through_journal,
    Medium.TRACE: through_trace,
    Medium.PAGE: through_page,
    Medium.RECORD: through_record,
    Medium.ENGINE: through_engine,
    Medium.COMMAND: through_command,
}


def beyond(case: Case) -> Iterator[tuple[object, str]]:  # noqa: C901 - one case for each kind of value
    """What lies just beyond the bounds of a row, as this medium would have it, and a bound that has to be named."""
    as_text = case.medium in (Medium.RECORD, Medium.ENGINE, Medium.COMMAND)
    in_list = case.medium in (Medium.TRACE, Medium.PAGE)
    match case.row.kind:
        case Truth() | VoiceSetting():
            # A flag of the command line takes no value at all.
            if case.medium is not Medium.COMMAND:
                yield ("maybe" if as_text else 2), "true or false"
        case WholeNumber(lowest=lowest, highest=highest):
            yield lowest - 1, f"{lowest}"
            yield highest + 1, f"{highest}"
        case MoveTime(longest_seconds=longest):
            unit = 1000 if case.medium is Medium.JOURNAL else 1
            yield longest * unit + 1, f"{longest * unit}"
            yield -1, f"{longest * unit}"
        case Side():
            # Where numbers stand for levels, the one above the highest is the one that follows the person.
            above = LEVEL.highest + 1 if case.medium is Medium.TRACE else LIKE_ME + 1
            for level in (LEVEL.lowest - 1, above):
                if level or case.medium in (Medium.TRACE, Medium.JOURNAL):
                    yield (f"ai {level}" if case.medium is Medium.TRACE else level), "1 to 10"
        case Word() as word:
            yield "nonsense", word.allowed(case.medium).rpartition(" or ")[2]
        case Name(names=names):
            yield "tlh", names[-1]
        case TraitList():
            for each, right in (("weight", "height"), ("", "shape")):
                yield ([each] if in_list else each), right
        case kind:
            raise AssertionError(f"nobody knows the bounds of {kind}")


@pytest.mark.parametrize("case", ALL, ids=str)
def test_every_medium_reads_each_of_its_rows_at_its_bounds(case: Case) -> None:
    for settings in (
        SPEAKING,
        FAR,
        replace(FAR, seats=(Seat(10), PERSON)),
        replace(FAR, seats=(PERSON, Seat(LIKE_ME))),
    ):
        written = case.row.write(settings, case.medium)
        if not is_for_people(case):
            continue
        read = THROUGH[case.medium](case.row, written)
        assert case.row.write(read, case.medium) == written
        others = [row for row in SETTINGS if row.key != case.row.key]
        assert [row.write(read, Medium.JOURNAL) for row in others] == [
            row.write(SPEAKING, Medium.JOURNAL) for row in others
        ]


@pytest.mark.parametrize("case", [case for case in ALL if is_for_people(case)], ids=str)
def test_one_beyond_the_bounds_is_refused_in_a_sentence_with_key_value_and_bounds(case: Case) -> None:
    for written, bound in beyond(case):
        with pytest.raises((QuartoError, Refused)) as caught:
            THROUGH[case.medium](case.row, written)
        sentence = str(caught.value)
        keys = {case.row.name(case.medium), case.row.key}
        if case.medium in (Medium.TRACE, Medium.PAGE) and case.row.key in PLAYERS:
            keys = {"players", "levels"}
        value = written[0] if isinstance(written, list) else written
        assert "\n" not in sentence
        if case.medium is not Medium.JOURNAL:
            assert any(key in sentence for key in keys), sentence
        assert f"{value}" in sentence
        assert bound in sentence


def test_journal_that_holds_what_cannot_be_is_not_believed() -> None:
    for case in ALL:
        if case.medium is Medium.JOURNAL:
            for written, _ in beyond(case):
                assert as_settings({case.row.name(Medium.JOURNAL): written}, SPEAKING) == SPEAKING


def test_all_media_have_the_same_longest_clock() -> None:
    day = 86_400
    text = f"[game]\nclock_seconds = {day}\n"
    settings = parse_config(text).settings
    assert settings.rules.clock_ms == 1000 * day
    assert with_wishes(Settings(), {"clock_seconds": day}).rules == settings.rules
    assert as_settings(as_keys(settings), Settings()).rules == settings.rules
    header = header_of(settings, TagTable.from_codes(TAGS), 0)
    assert read_header(header, Settings(), 3).settings.rules == settings.rules
    with pytest.raises(QuartoError, match="clock_seconds"):
        parse_config(f"[game]\nclock_seconds = {day + 1}\n")


def test_every_row_is_in_the_table_once_and_written_down_somewhere() -> None:
    assert len(KEYS) == len(set(KEYS))
    assert {case.row.key for case in ALL} == set(KEYS)
    for rows in MEDIA.values():
        assert len(rows) == len({row.key for row in rows})


def test_rows_differ_from_the_usual_in_the_settings_of_this_test() -> None:
    for row in SETTINGS:
        assert row.write(FAR, Medium.JOURNAL) != row.write(SPEAKING, Medium.JOURNAL), row.key


def test_whole_settings_come_back_from_every_medium_that_has_them() -> None:
    read = read_header(header_of(FAR, TagTable.from_codes(TAGS), 0), replace(FAR, rules=Options()), 3).settings
    assert [row.write(read, Medium.TRACE) for row in MEDIA[Medium.TRACE]] == [
        row.write(FAR, Medium.TRACE) for row in MEDIA[Medium.TRACE]
    ]
    kept = as_settings(json.loads(json.dumps(as_keys(FAR))), SPEAKING)
    assert as_keys(kept) == as_keys(FAR)
    page = settings_as_json(FAR)
    assert (page["levels"], page["clock_seconds"], page["traits"]) == ([1, 10], 86_400, ["colour", "top"])
    again = parse_record(str(Record(Game(options=FAR.rules)))).game.options
    assert [row.write(again, Medium.RECORD) for row in IN_RECORD] == [
        row.write(FAR.rules, Medium.RECORD) for row in IN_RECORD
    ]
    lines = "".join(f"{key} = {as_toml(value)}\n" for key, value in chosen_keys(FAR, SPEAKING).items())
    chosen = parse_config(f"[game]\n{lines}").settings
    assert [row.write(chosen, Medium.FILE) for row in CHOSEN] == [row.write(FAR, Medium.FILE) for row in CHOSEN]


def test_menu_offers_nothing_that_the_table_would_refuse() -> None:
    for item, values in VALUES.items():
        for value in values:
            chosen = with_item(SPEAKING, item, value)
            for medium, rows in MEDIA.items():
                for row in rows:
                    written = row.write(chosen, medium)
                    assert row.write(row.read(SPEAKING, written, medium), medium) == written


def test_computer_has_a_level_for_every_number_that_can_be_chosen() -> None:
    assert list(LEVELS) == list(LEVEL.range)


def test_engine_tells_its_options_as_the_table_has_them() -> None:
    assert GREETING == (
        "option name Level type spin default 10 min 1 max 10",
        "option name Squares type check default false",
        "option name Traits type string default colour,height,shape,top",
        "option name Seed type spin default 0 min 0 max 18446744073709551615",
        "qepok",
    )


def test_number_of_the_command_line_names_its_bounds() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="'11' is not a whole number from 1 to 10"):
        whole_number(LEVEL.lowest, LEVEL.highest)("11")


@pytest.mark.parametrize("written", [0.0005, 0.5, 86_400.0])
def test_clock_of_a_trace_may_have_a_fraction_of_a_second(written: float) -> None:
    row = next(row for row in SETTINGS if row.key == "clock_seconds")
    clock = through_trace(row, written).rules.clock_ms
    assert clock == max(1, round(written * 1000))


# -- a setting that nobody foresaw -----------------------------------------------------------------------------------

FIELD = ("    giving_sensed: bool = True\n", "    handicap: int = 0\n")
ROW = (
    "RULES: Final[tuple[Row[Options], ...]] = (\n",
    """    Setting[Options, int](
        "handicap",
        "how many pieces less",
        WholeNumber(0, 9),
        lambda rules: rules.handicap,
        lambda rules, value: replace(rules, handicap=value),
    ),
""",
)
LISTS = {
    "rules/options.py": ("calling false_call giving_sensed", 'VARIANTS: Final = pick(RULES, "squares traits'),
    "referee/all_settings.py": (
        "starter buttons undo coach",
        "final_call_ms player_1 player_2 starter undo",
        "clock_seconds false_call time_out",
        'ON_PAGE_FIRST: Final = pick(SETTINGS, "squares traits calling clock_seconds',
    ),
}


def with_a_further_setting(tree: Path) -> int:
    """Lay out the program in a folder, with one field, one row and its key in the lists; return the files changed."""
    package = Path(quarto_pi.__file__).parent
    changed = 0
    for name, lists in LISTS.items():
        folder = tree / "quarto_pi" / Path(name).parent
        folder.mkdir(parents=True)
        for file in (package / name).parent.iterdir():
            (folder / file.name).symlink_to(file)
        text = (package / name).read_text(encoding="utf-8")
        for before, added in (FIELD, ROW) if name == "rules/options.py" else ():
            assert text.count(before) == 1
            text = text.replace(before, before + added)
        for before in lists:
            assert text.count(before) == 1, before
            text = text.replace(before, f"{before} handicap")
        (folder / Path(name).name).unlink()
        (folder / Path(name).name).write_text(text, encoding="utf-8")
        changed += 1
    for file in package.iterdir():
        if not (tree / "quarto_pi" / file.name).exists():
            (tree / "quarto_pi" / file.name).symlink_to(file)
    return changed


def test_setting_that_nobody_foresaw_is_known_to_every_medium_by_one_row(tmp_path: Path) -> None:
    assert with_a_further_setting(tmp_path) == 2
    program = Path(__file__).with_name("further_setting.py").read_text(encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    answer = json.loads(done.stdout)
    assert set(answer["read"].values()) == {7}
    assert {medium.value for medium in Medium} <= answer["read"].keys()
    assert answer["said"].keys() == {medium.value for medium in Medium} - {"journal"}
    for sentence in answer["said"].values():
        assert "handicap" in sentence.lower()
        assert "10" in sentence
        assert "0 to 9" in sentence
    assert answer["told"] == ["option name Handicap type spin default 0 min 0 max 9"]
