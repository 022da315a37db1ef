"""`python -m fairlead`."""

from fairlead.cli import main

main()
