"""What the system refuses a command, in one sentence."""

from __future__ import annotations

import errno


def refusal_of(error: OSError) -> str:
    """What could not be used and why, with what to do.

    >>> refusal_of(PermissionError(13, "Permission denied", "/var/lib/quarto-pi/tags.toml"))
    '/var/lib/quarto-pi/tags.toml cannot be used (Permission denied); use sudo.'
    >>> refusal_of(IsADirectoryError(21, "Is a directory", "apart"))
    'apart cannot be used (Is a directory); name another place, or make that one usable.'
    >>> refusal_of(OSError(28, "No space left on device"))
    'nothing more can be written (No space left on device); make room.'
    >>> refusal_of(OSError("the machine stays on."))
    'the machine stays on.'
    """
    if error.filename is None:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return f"nothing more can be written ({error.strerror}); make room." if is_full else str(error)
    todo = "use sudo" if isinstance(error, PermissionError) else "name another place, or make that one usable"
    return f"{error.filename} cannot be used ({error.strerror}); {todo}."
