"""Runs the checker of certificates as `python -m fairlead.certify`."""

import sys

from fairlead.certify.program import main

sys.exit(main())
