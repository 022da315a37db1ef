"""Lets tests import their helpers, such as `oracle.verdict`, from the tests directory."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
