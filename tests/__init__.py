"""The test suite. README.md says what is where, and which tests to run when."""
