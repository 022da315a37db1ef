"""What the example models must answer, and the systems written by hand that confirm it."""
