"""Tests of the benchmark (`bench/`): cases, readers, ratios, tables and charts."""
