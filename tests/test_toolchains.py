"""A missing toolchain is named, and hides no test from CI."""

from pathlib import Path

import pytest
from toolchains import built


@pytest.mark.parametrize("name", ["starter-java", "starter-rust"])
def test_a_missing_toolchain_skips_a_test_but_not_in_ci(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = {"starter-java": "java, javac, mvn", "starter-rust": "cargo"}[name]
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"^{name} needs {needed}$"):
        built.__wrapped__(name)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=f"^{name} needs {needed}: in CI no test is"):
        built.__wrapped__(name)
