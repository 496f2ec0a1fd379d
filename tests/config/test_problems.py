"""All that is wrong with a configuration is told at once."""

from pathlib import Path

from quarto_pi.config.layers import ConfigPlace, problems


def test_every_problem_gets_its_sentence_and_consequences_get_none(tmp_path: Path) -> None:
    file, part = tmp_path / "quarto-pi.toml", tmp_path / "conf.d" / "a.toml"
    file.write_text(
        'profile = "pie"\n[gme]\n[game]\nlevel = 11\nlangage = "fr"\n[readers]\nenable_pin = 17\n'
        '[fields]\nmode = "at once"\n[sensing]\nplaced_after_ms = -1\n[oled]\ncontrast = "much"\n[page]\npin = "123"\n'
    )
    part.parent.mkdir()
    part.write_text("[buttons]\ncall_pin = 24\n[readers.lines]\na1 = 1\n")
    told = list(problems(ConfigPlace(file).files()))
    assert sorted(told) == sorted(
        [
            f"{file}: profile is \"pie\": did you mean 'pi'?",
            f"{file}: [gme] is not a section: did you mean 'game'?",
            f"{file}: [game] level is 11: write a level from 1 to 10.",
            f"{file}: [game] langage is not a key of this section: did you mean 'language'?",
            f"{file}: [readers] enable_pin is 17: address_pins has this pin already; choose another one.",
            f'{file}: [fields] mode is "at once": choose from one at a time, in turn, interleaved.',
            f"{file}: [sensing] placed_after_ms is -1: a time cannot be negative.",
            f'{file}: [oled] contrast is "much": write a whole number, such as 207.',
            f'{file}: [page] pin is "...": write 6 to 64 characters, or "" for none.',
            f"{part}: [readers.lines] b1 is 1: a1 is on this select line already; each reader needs its own.",
            f"{part}: [buttons] call_pin is 24: [readers] enable_pin has this pin already; choose another one.",
        ]
    )


def test_what_nobody_has_written_is_no_problem_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "quarto-pi.toml"
    # Without the node, whose section is none, the button would stand on the header, where its usual pin is taken.
    file.write_text("node = 5\n[readers]\nenable_pin = 12\n")
    (told,) = problems([file])
    assert "node" in told


def test_files_that_are_no_toml_are_told_beside_what_is_wrong_in_the_others(tmp_path: Path) -> None:
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text("[game\n")
    second.write_text("[game]\nlevel = 0\n")
    told = list(problems([first, second]))
    assert [line.partition(": ")[0] for line in told] == [str(first), str(second)]
    assert "this is not TOML" in told[0]


def test_nothing_is_told_where_nothing_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('profile = "pi-simple"\n')
    assert list(problems([file])) == []
    assert list(problems([])) == []
