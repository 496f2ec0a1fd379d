"""The figures for Prometheus: read by a parser of its text format that knows nothing of how they are written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quarto_pi.hub.metrics import COMMIT_SECONDS, IntakeCounts, exposition
from tests.hub.boards import ILL, PLAYS, fleet_of, here
from tests.hub.page_of_hub import served_hub, tell_some

LINE = re.compile(r'([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)')
KINDS = {"gauge", "counter", "histogram"}

Parsed = dict[str, dict[str, float]]


def parsed(text: str) -> Parsed:
    """Each metric's samples by their labels; what breaks the format's rules fails."""
    kinds: dict[str, str] = {}
    samples: Parsed = {}
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds, f"{name} is told twice"
            assert kind in KINDS
            kinds[name] = kind
            continue
        found = LINE.fullmatch(line)
        assert found, line
        name, labels, value = found[1], found[2] or "", float(found[3])
        base = re.sub(r"_(bucket|sum|count)$", "", name)
        assert name in kinds or kinds.get(base) == "histogram", f"{name} has no type"
        assert labels not in samples.setdefault(name, {}), line
        samples[name][labels] = value
    assert all(name.endswith("_total") for name, kind in kinds.items() if kind == "counter")
    return samples


def test_boards_games_queues_and_alarms_are_told() -> None:
    fleet = fleet_of("one", "two", "three")
    here(fleet, "one", PLAYS)
    here(fleet, "two", ILL)
    told = parsed(exposition(IntakeCounts(kept=123_456, waiting=7), fleet.rows(), [], linked=True))
    assert told["quarto_boards"] == {
        'state="playing"': 1,
        'state="waiting"': 0,
        'state="asleep"': 0,
        'state="ill"': 1,
        'state="gone"': 1,
    }
    assert told["quarto_games"] == {"": 1}
    assert told["quarto_actions_total"] == {"": 123_456}
    assert told["quarto_hub_queue"] == {"": 7}
    assert told["quarto_hub_linked"] == {"": 1}
    assert sum(told["quarto_alarms"].values()) == 0


def test_the_histogram_counts_every_commit_in_its_part_and_all_above() -> None:
    figures = IntakeCounts()
    for seconds in (0.0005, 0.001, 0.004, 0.2, 9.0):
        figures.commits.took(seconds)
    told = parsed(exposition(figures, [], [], linked=False))
    buckets = list(told["quarto_commit_seconds_bucket"].values())
    assert len(buckets) == len(COMMIT_SECONDS) + 1
    assert buckets == sorted(buckets)
    assert told["quarto_commit_seconds_bucket"]['le="0.001"'] == 2
    assert told["quarto_commit_seconds_bucket"]['le="0.25"'] == 4
    assert told["quarto_commit_seconds_bucket"]['le="+Inf"'] == 5
    assert told["quarto_commit_seconds_count"] == {"": 5}
    assert told["quarto_commit_seconds_sum"][""] == pytest.approx(9.2055, rel=1e-4)


def test_the_figures_do_not_grow_with_the_boards_and_name_none_of_them() -> None:
    few, many = fleet_of("one"), fleet_of(*(f"board-{number}" for number in range(500)))
    lines = [exposition(IntakeCounts(), fleet.rows(), [], linked=True) for fleet in (few, many)]
    assert len(lines[0].splitlines()) == len(lines[1].splitlines())
    assert "board-1" not in lines[1]


@pytest.mark.parametrize(
    ("address", "token", "behind_proxy", "given", "status"),
    [
        ("127.0.0.1", "", False, None, 200),
        ("127.0.0.1", "", True, None, 403),
        ("192.168.1.7", "", False, None, 403),
        ("192.168.1.7", "", False, "Bearer ", 403),
        ("192.168.1.7", "open", False, "Bearer open", 200),
        ("192.168.1.7", "open", True, "Bearer open", 200),
        ("192.168.1.7", "open", False, "Bearer opem", 403),
        ("192.168.1.7", "open", False, "open", 403),
    ],
)
def test_the_figures_are_for_this_machine_or_who_has_the_token(
    address: str, token: str, behind_proxy: bool, given: str | None, status: int, tmp_path: Path
) -> None:
    with served_hub(tmp_path, address, metrics_token=token, behind_proxy=behind_proxy) as hub:
        tell_some(hub.watch)
        headers = {} if given is None else {"authorization": given}
        answer = hub.client.get("/metrics", headers=headers)
        assert answer.status_code == status
        if status == 200:
            assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
            assert parsed(answer.text)["quarto_hub_linked"] == {"": 1}


DASHBOARD = Path(__file__).parents[2] / "docs" / "hub-dashboard.json"


def test_the_dashboard_asks_for_figures_that_there_are_and_shows_all_of_them() -> None:
    told = exposition(IntakeCounts(), fleet_of("one").rows(), [], linked=True)
    there = set(re.findall(r"^# TYPE (\w+)", told, re.MULTILINE))
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    asked = {
        name.removesuffix("_bucket")
        for panel in panels
        for target in panel["targets"]
        for name in re.findall(r"quarto_\w+", target["expr"])
    }
    assert asked <= there
    assert there - asked == {"quarto_messages_total"}


def test_every_figure_stands_on_the_page_about_them() -> None:
    told = exposition(IntakeCounts(), [], [], linked=True)
    page = (DASHBOARD.parent / "hub-page.md").read_text(encoding="utf-8")
    for name in re.findall(r"^# TYPE (\w+)", told, re.MULTILINE):
        assert f"`{name}" in page, name
