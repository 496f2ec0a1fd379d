"""What can be wrong with what the sensing layer is given; each text is one sentence fit to be shown."""

from quarto_pi.rules import QuartoError


class SensingError(QuartoError, ValueError):
    """Something that the sensing layer cannot work with."""


class TagsError(SensingError):
    """Tags that cannot be told apart or do not name all sixteen pieces."""


class TimesError(SensingError):
    """Settling or hysteresis times that no board can work with; `key` is the one that is wrong."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


class SweepError(SensingError):
    """A sweep of a cell that does not exist, or from before the last one."""
