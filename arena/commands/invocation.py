"""How a person started this program, for messages that say what to type next."""

import os
import shutil
import sys

NAME = "arena"


def program() -> str:
    """Return what starts this program: its name, or its path where the name does not find it."""
    called = sys.argv[0]
    if os.path.basename(called) != NAME or not os.path.isfile(called):
        return NAME
    found = shutil.which(NAME)
    if found and os.path.samefile(found, called):
        return NAME
    path = os.path.relpath(called)
    return os.path.abspath(called) if path.startswith(os.pardir) else os.path.join(os.curdir, path)
