"""Where things are in the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
#: the models of the benchmark
BENCH_MODELS = ROOT / "bench" / "models"
TESTS = ROOT / "tests"
