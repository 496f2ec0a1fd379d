"""A long campaign with random hands and faults: `make soak`, or `python -m tests.soak SWEEPS FIRST_SEED`."""

import sys

from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.wiring.platform import simulated_hardware
from tests.soak.arguments import how_much_and_seed

SWEEPS = 100_000
SWEEPS_AN_EVENING = 2_500


# The stand-ins below the real packages have to be in place before the evening's devices are imported.
simulated_hardware()

from tests.soak.evening import Evening  # noqa: E402


def main() -> int:
    """Live through evenings until the sweeps are done; 1 if anything was told that did not happen."""
    wanted, seed = how_much_and_seed("tests.soak", __doc__, "sweeps", SWEEPS)
    sweeps, events, wrong = 0, 0, 0
    while sweeps < wanted:
        mode = list(FieldMode)[seed % 3]
        report = Evening(seed, mode).live(SWEEPS_AN_EVENING)
        sweeps += report.sweeps
        events += report.events.total()
        for problem in (*report.false_events, *report.wrong_pictures):
            wrong += 1
            print(f"evening {seed} ({mode.value}): {problem}")
        seed += 1
        print(f"{sweeps} of {wanted} sweeps, {events} events, {wrong} of them or of the pictures false", flush=True)
    return 1 if wrong else 0


sys.exit(main())
