"""The page's sums for the pictures of a game, in JavaScript: run by the Node.js that Playwright brings along."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.pico.micropython import NODE
from tests.web.visit import Parsed

WORTH = Path(__file__).parents[2] / "quarto_pi" / "web" / "static" / "worth.js"

TOLD = {
    "positions": ["-"] * 5,
    "moves": [{}, {}, {}],
    "worth": [
        {"player": 0, "value": "draw", "safe": 16, "answers": 16},
        {"player": 1, "value": "draw", "safe": 120, "answers": 240},
        None,
        {"player": 1, "value": "win", "safe": None, "answers": None},
        {"player": 1, "value": "loss", "safe": 0, "answers": 9},
    ],
}

ASKED = {
    "points": "worthPoints(told)",
    "unjudged": "worthPoints({...told, worth: null}).map((each) => each.level)",
    "stretches": "stretches(worthPoints(told)).map((each) => each.map((point) => point.at))",
    "there": "[0, 1, 2].map((move) => positionOf(told, move))",
    "back": "[0, 1, 2, 3, 4].map((at) => moveOf(told, at))",
    "taps": "[-9, 0, 49, 51, 100, 400].map((x) => positionAt(x, 100, 5))",
    "row": 'pathThrough(["a1", "b1", "c1", "d1"])',
    "column": 'pathThrough(["b1", "b2", "b3", "b4"])',
    "diagonal": 'pathThrough(["a4", "b3", "c2", "d1"])',
    "square": 'pathThrough(["a1", "b1", "a2", "b2"])',
    "most": "[0, 2, 4].map((number) => shareOfMost(number, [0, 2, 4]))",
    "range": "[3, 4, 5].map((number) => shareOfRange(number, [3, 4, 5]))",
    "none": "[shareOfMost(0, [0, 0]), shareOfRange(0, [0, 0])]",
}


@pytest.fixture(scope="module")
def said() -> Parsed:
    """What the functions return, all of it found in one run."""
    answers = ", ".join(f"{name}: {expression}" for name, expression in ASKED.items())
    script = (
        f"Object.assign(globalThis, await import({json.dumps(WORTH.as_uri())}));"
        f"const told = {json.dumps(TOLD)}; console.log(JSON.stringify({{ {answers} }}));"
    )
    arguments = [str(NODE), "--no-warnings", "--input-type=module", "--eval", script]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)  # noqa: S603


def test_worth_is_seen_from_player_1_whoever_has_the_move(said: Parsed) -> None:
    assert [point["level"] for point in said["points"]] == [0, 0, None, -1, 1]
    assert [point["share"] for point in said["points"]] == [1, 0.5, None, None, 0]


def test_what_is_not_known_is_a_gap_and_no_guess(said: Parsed) -> None:
    assert said["stretches"] == [[0, 1], [3, 4]]
    assert said["unjudged"] == [None] * 5


def test_a_move_shows_the_position_that_it_leaves(said: Parsed) -> None:
    assert said["there"] == [1, 3, 4]
    assert said["back"] == [None, 0, 1, 1, 2]


def test_a_finger_on_the_graph_means_the_nearest_position(said: Parsed) -> None:
    assert said["taps"] == [0, 0, 2, 2, 4, 4]


def test_a_line_goes_through_its_squares_and_around_a_square_of_four(said: Parsed) -> None:
    assert said["row"] == "M0.22 3.5L3.78 3.5"
    assert said["column"] == "M1.5 3.78L1.5 0.22"
    assert said["diagonal"] == "M0.22 0.22L3.78 3.78"
    assert said["square"] == "M0.22 2.22H1.78V3.78H0.22Z"


def test_bars_begin_at_nothing_and_shades_at_the_least(said: Parsed) -> None:
    assert said["most"] == [0, 0.5, 1]
    assert said["range"] == [0, 0.5, 1]
    assert said["none"] == [0, 0]
