"""Lets tests import their helpers, such as `oracle.verdict`, from the tests directory, and the benchmark."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
# `bench` is a package there, which comes before the folder of its tests wherever that stands on the path
sys.path.append(str(Path(__file__).parents[1]))

# in the background, shells have Ctrl-C ignored, and the commands that tests start would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)
