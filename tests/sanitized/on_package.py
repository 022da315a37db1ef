"""A plugin of pytest: tests run on the package in FAIRLEAD_PACKAGE, whatever else is installed."""

import os
import sys

package = os.environ["FAIRLEAD_PACKAGE"]
# an editable install finds the package before sys.path is examined
sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
sys.path.insert(0, package)

from fairlead.engine import _native  # noqa: E402

assert _native.__file__.startswith(package), _native.__file__
