"""What a test needs of the machine: without it the test is skipped, but never in CI."""

import os
from typing import NoReturn

import pytest


def needed(what: str) -> NoReturn:
    """Skip the test; fail it where CI should have provided what it needs."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI has no {what}")
    pytest.skip(f"this machine has no {what}")
