"""What can be wrong with a journal."""

from __future__ import annotations

import errno
import sqlite3

from quarto_pi.referee.messages import Storage
from quarto_pi.rules import QuartoError


class JournalError(QuartoError):
    """A journal that cannot be used; the text says why and what to do."""


class JournalNewer(JournalError):
    """A journal that a newer quarto-pi has written: it is left alone."""


class JournalDamaged(JournalError):
    """A journal that is not sound."""


def storage_of(error: Exception) -> Storage:
    """What an error says about the storage, as people are told of it."""
    if isinstance(error, sqlite3.Error):
        # The lowest byte is the primary code, whatever the extended one adds.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return Storage.FULL
        if code == sqlite3.SQLITE_READONLY:
            return Storage.READ_ONLY
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Storage.FULL
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            return Storage.READ_ONLY
    return Storage.BROKEN
