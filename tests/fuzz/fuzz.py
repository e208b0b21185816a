"""Feed a target with bytes that lead to code not seen before, until one is wrong or time is over.

    python tests/fuzz/fuzz.py TARGET [FOLDER] [-max_total_time=60] [any option of libFuzzer]

FOLDER collects bytes that found new code. Bytes with which a target is wrong are written into the
file that is named at the end; as tests/fuzz/found/TARGET/NAME they become a test.
"""

import importlib
import sys
import tempfile
from pathlib import Path

import atheris

HERE = Path(__file__).parent


def main() -> None:
    """Fuzz the target that the first argument names, with the others for libFuzzer."""
    program, name, *arguments = sys.argv
    sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1])]
    with atheris.instrument_imports(include=["arena", "choices", "targets"]):
        target = importlib.import_module(f"targets.{name}")
    with tempfile.TemporaryDirectory(prefix="arena-fuzz-") as folder:
        for number, seed in enumerate(target.SEEDS):
            (Path(folder) / f"seed-{number}").write_bytes(seed)
        if words := getattr(target, "WORDS", []):
            dictionary = Path(f"{folder}.words")
            dictionary.write_text("".join(f'"{_escaped(word)}"\n' for word in words))
            arguments.append(f"-dict={dictionary}")
        atheris.Setup([program, *arguments, folder], target.run)
        atheris.Fuzz()


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    main()
