"""Tests of HTML reports, also in a headless Chromium."""
