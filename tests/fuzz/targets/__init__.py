"""What is fuzzed: a module each, with ``SEEDS``, ``run(data)`` and, where words help, ``WORDS``.

``run`` returns for any bytes, or raises what is wrong with the arena. ``SEEDS`` are bytes that lead
deep into the code, ``WORDS`` are put into them by the fuzzer.
"""

from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
