"""Settings for all tests."""

import signal

# in the background, shells have Ctrl-C ignored, and the commands that tests start would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)
