"""What the system refuses a command, in one sentence."""

from __future__ import annotations


def refusal_of(error: OSError) -> str:
    """What could not be used and why, with what to do where that is plain.

    >>> refusal_of(PermissionError(13, "Permission denied", "/var/lib/quarto-pi/tags.toml"))
    '/var/lib/quarto-pi/tags.toml cannot be used (Permission denied); use sudo.'
    >>> refusal_of(OSError("the machine stays on."))
    'the machine stays on.'
    """
    if error.filename is None:
        return str(error)
    todo = "; use sudo" if isinstance(error, PermissionError) else ""
    return f"{error.filename} cannot be used ({error.strerror}){todo}."
