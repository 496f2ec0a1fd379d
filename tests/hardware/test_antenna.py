"""The antenna board's coil and its network: calculated in two ways that have to agree, and with values that are off."""

from __future__ import annotations

import re
from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest

from hardware.antenna.__main__ import main
from hardware.antenna.coil import (
    direct_ohm,
    length_mm,
    lines,
    sheet_inductance,
    skin_depth_mm,
    surface_ohm,
    wheeler_inductance,
)
from hardware.antenna.design import read_antenna
from hardware.antenna.field import LEAST_FIELD, MOST_FIELD, tag_field
from hardware.antenna.filaments import Mesh, coupling, impedance, outline_loss
from hardware.antenna.matching import capacitors, damped_quality, drawn, nominal, spread, two_sold
from hardware.antenna.network import answer, branches, coil_ampere, receiver_volts, spice_deck, supply_ma
from hardware.antenna.tables import changes, own_coil, own_spread
from hardware.dimensions import Dimensions
from hardware.spice import printed_by_ngspice

ANTENNA = read_antenna()
COIL, DRIVE, NETWORK = ANTENNA.coil, ANTENNA.drive, ANTENNA.network
COARSE = Mesh(6, 1)


def test_the_inductance_by_filaments_is_that_of_the_formulas() -> None:
    found = own_coil().henry
    assert found == pytest.approx(sheet_inductance(COIL), rel=0.04)
    assert found == pytest.approx(wheeler_inductance(COIL), rel=0.04)


@pytest.mark.parametrize("outer", [30, 60])
def test_filaments_and_formulas_agree_for_other_coils_too(outer: float) -> None:
    coil = replace(COIL, outer=outer, feed=(-outer / 2 - 3, 0.0))
    assert impedance(coil, DRIVE.omega, COARSE).henry == pytest.approx(sheet_inductance(coil), rel=0.05)


def test_at_low_frequency_the_filaments_have_the_resistance_of_the_copper() -> None:
    assert impedance(COIL, 2 * pi * 1000, COARSE).ohm == pytest.approx(direct_ohm(COIL), rel=1e-3)


def test_the_current_crowds_at_the_edges_of_the_tracks() -> None:
    # A flat strip that stands alone, its current at edges and faces: (pi + ln(4 pi w / t)) / pi^2 of one even face.
    alone = 1.72e-5 * length_mm(COIL) / (COIL.width * skin_depth_mm(DRIVE.hz))
    strip = alone * (pi + np.log(4 * pi * COIL.width / COIL.thickness)) / pi**2
    assert surface_ohm(COIL, DRIVE.hz) < own_coil().ohm
    assert own_coil().ohm == pytest.approx(strip, rel=0.1)


def test_a_finer_mesh_changes_little() -> None:
    finer, coarser = (impedance(COIL, DRIVE.omega, mesh) for mesh in (Mesh(12, 3), Mesh(8, 2)))
    assert finer.henry == pytest.approx(coarser.henry, rel=1e-3)
    assert finer.ohm == pytest.approx(coarser.ohm, rel=0.03)


def test_the_next_coil_shares_less_than_a_hundredth_of_the_field() -> None:
    assert 0.002 < coupling(COIL, ANTENNA.board["pitch"]) < 0.01
    # Far away a coil is a dipole, whose field falls with the third power of the distance.
    assert coupling(COIL, 400) / coupling(COIL, 800) == pytest.approx(8, rel=0.05)


def test_planes_beside_the_coils_take_less_than_half_a_percent() -> None:
    left, right, down = ANTENNA.board["plane"]["fields"]
    pitch, front = ANTENNA.board["pitch"], -ANTENNA.coil_middle(0)[1]
    own = [(left, front), (right, front), (right, down), (left, down)]
    others = [(x + pitch, y) for x, y in own]
    band = [(left, front), (pitch + right, front), (pitch + right, front + 8.6), (left, front + 8.6)]
    assert sum(outline_loss(COIL, outline) for outline in (own, others, band)) < 0.01


def test_what_is_soldered_is_what_was_calculated() -> None:
    series, parallel = capacitors(NETWORK, own_coil())
    assert sum(NETWORK.series_farad) == pytest.approx(series, rel=0.01)
    assert sum(NETWORK.parallel_farad) == pytest.approx(parallel, rel=0.01)
    assert NETWORK.series_farad == pytest.approx(two_sold(series))
    assert NETWORK.parallel_farad == pytest.approx(two_sold(parallel))
    assert damped_quality(NETWORK, own_coil()) == pytest.approx(NETWORK.quality, rel=0.05)


def test_with_the_exact_capacitors_the_chip_sees_its_target() -> None:
    series, parallel = capacitors(NETWORK, own_coil())
    exact = replace(NETWORK, series_farad=(series,), parallel_farad=(parallel,), receive_ohm=1e9)
    ohm = complex(answer(branches(exact, own_coil()), DRIVE.omega).ohm[0])
    assert ohm == pytest.approx(NETWORK.target_ohm, rel=1e-3)


def test_a_target_that_no_capacitors_make_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^No capacitors make 9000 ohm of this coil: choose another target\.$"):
        capacitors(replace(NETWORK, target_ohm=9000), own_coil())


def test_ngspice_finds_the_same_impedance_and_the_same_volts_at_the_receiver() -> None:
    parts = branches(NETWORK, own_coil())
    printed = printed_by_ngspice(spice_deck(parts, DRIVE))
    first, second, receiver = (
        complex(*map(float, re.search(rf"^{re.escape(name)} = (\S+),(\S+)$", printed, re.MULTILINE).groups()))  # type: ignore[union-attr]
        for name in ("i(v1)", "i(v2)", "v(rx)")
    )
    own = answer(parts, DRIVE.omega)
    # A source's current counts from plus to minus through the source.
    assert 2 / (second - first) == pytest.approx(complex(own.ohm[0]), rel=1e-3)
    assert receiver == pytest.approx(complex(own.nodes["RX"][0]), rel=1e-3)


def test_nothing_is_lost_between_the_chip_and_the_resistances() -> None:
    found = nominal(ANTENNA, own_coil())
    of = {part.name: part.value for part in branches(NETWORK, own_coil()) if part.element.value == "R"}
    through = {
        "coil": found.coil_ampere[0],
        "damping1": (found.nodes["M1"] - found.nodes["K1"])[0] / of["damping1"],
        "damping2": (found.nodes["M2"] - found.nodes["K2"])[0] / of["damping2"],
        "filter1": (found.nodes["I1"] - found.nodes["F1"])[0] / of["filter1"],
        "filter2": (found.nodes["I2"] - found.nodes["F2"])[0] / of["filter2"],
        "receive": (found.nodes["X"] - found.nodes["RX"])[0] / of["receive"],
        "bias": found.nodes["RX"][0] / of["bias"],
    }
    lost = sum(abs(ampere) ** 2 * of[name] for name, ampere in through.items())
    assert lost == pytest.approx(float(np.real(1 / found.ohm[0])), rel=0.01)


def test_a_thousand_boards_with_values_that_are_off_stay_within_what_the_chip_bears() -> None:
    many = own_spread()
    assert many.boards == 1000
    assert many.supply_ma[-1] < DRIVE.most_ma / 2
    assert many.receiver_volts[-1] < DRIVE.receiver_volts
    assert many.receiver_volts[0] > DRIVE.receiver_volts / 6


def test_the_field_at_a_tag_is_what_the_standard_asks_for_and_no_more(dimensions: Dimensions) -> None:
    found = nominal(ANTENNA, own_coil(), DRIVE.driver_ohm)
    tag, ring = dimensions.tag.diameter, (dimensions.board.ring - dimensions.piece.width) / 2
    ampere = float(coil_ampere(found, DRIVE)[0])
    assert tag_field(COIL, ampere, dimensions.tag_distance, tag) < MOST_FIELD
    many = own_spread().coil_ampere
    assert tag_field(COIL, many[-1], dimensions.tag_distance, tag) < 1.1 * MOST_FIELD
    # The weakest board, through wood of 6 mm, the piece at the edge of its ring: still twice what has to be enough.
    assert tag_field(COIL, many[0], dimensions.tag_distance + 3, tag, ring) > 2 * LEAST_FIELD
    assert tag_field(COIL, many[-1], dimensions.tag_distance, tag, dimensions.board.pitch - ring) < LEAST_FIELD / 5


def test_over_its_middle_a_coil_has_the_field_of_its_squares() -> None:
    side = [abs(start[0]) + abs(end[0]) for start, end in lines(COIL) if start[1] == end[1]]
    middle = sum(2 * sqrt(2) / (pi * each / 1000) for each in side) / 2
    assert tag_field(COIL, 1.0, 0.0, 1.0) == pytest.approx(middle, rel=0.03)


def test_a_low_target_with_a_small_filter_capacitor_could_overload_the_chip() -> None:
    """Why the target is not the 40 ohm that the chip could drive: a few values off, and it takes more than it may."""
    hot = replace(NETWORK, target_ohm=40.0, filter_farad=180e-12)
    series, parallel = capacitors(hot, own_coil())
    antenna = replace(ANTENNA, network=replace(hot, series_farad=(series,), parallel_farad=(parallel,)))
    assert spread(antenna, own_coil(), 300).supply_ma[-1] > DRIVE.most_ma


def test_whatever_is_found_otherwise_the_field_and_the_receiver_stay_as_they_are() -> None:
    right = float(coil_ampere(nominal(ANTENNA, own_coil(), DRIVE.driver_ohm), DRIVE)[0])
    assert len(changes()) > 10
    for what, (network, coil) in changes().items():
        found = nominal(replace(ANTENNA, network=network), coil, DRIVE.driver_ohm)
        assert float(coil_ampere(found, DRIVE)[0]) == pytest.approx(right, rel=0.12), what
        assert DRIVE.receiver_volts / 6 < float(receiver_volts(found, DRIVE)[0]) < DRIVE.receiver_volts, what
        assert float(supply_ma(found, DRIVE)[0]) < DRIVE.most_ma / 4, what


def test_the_same_seed_draws_the_same_boards() -> None:
    parts = branches(NETWORK, own_coil())
    one, same, other = (
        drawn(parts, replace(ANTENNA.tolerance, seed=seed), 5) for seed in (ANTENNA.tolerance.seed,) * 2 + (7,)
    )
    assert (one == same).all()
    assert not (one == other).all()
    shares = np.abs(one / np.array([part.value for part in parts]) - 1)
    assert shares.max() <= max(ANTENNA.tolerance.inductor, ANTENNA.tolerance.capacitor)


def test_a_field_takes_less_than_the_supply_is_reckoned_with() -> None:
    found = nominal(ANTENNA, own_coil(), DRIVE.driver_ohm)
    assert 5 < float(supply_ma(found, DRIVE)[0]) < 60
    assert float(receiver_volts(found, DRIVE)[0]) < DRIVE.receiver_volts


def test_the_command_says_what_belongs_to_a_measured_coil(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    as_drawn = capsys.readouterr().out
    for farad in (*NETWORK.series_farad, *NETWORK.parallel_farad):
        assert f"{farad * 1e12:.3g} pF" in as_drawn
    assert f"R_05, R_06: {NETWORK.damping_ohm:g} ohm" in as_drawn
    assert main(["--uh", "1.7", "--ohm", "1.3", "--mhz", "50"]) == 0
    measured = capsys.readouterr().out
    assert "coil: 1.70 uH, 1.30 ohm, 6.0 pF of its own" in measured
    assert measured.splitlines()[1:3] != as_drawn.splitlines()[1:3]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--uh", "16"], "A coil of this board has 0.3 to 5 uH and less than 20 ohm: measure again"),
        (["--mhz", "20"], "A coil that is in resonance at 20 MHz is no longer a coil at 13.56"),
        (["--ohm", "9"], "This coil's quality is below 30 without a resistor"),
        (["--target", "9000"], "No capacitors make 9000 ohm of this coil: choose another target."),
    ],
)
def test_a_measurement_that_cannot_be_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith(sentence)
