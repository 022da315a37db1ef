"""`python -m fairlead.certify`."""

import sys

from fairlead.certify.program import main

sys.exit(main())
