"""Tests of the extension for Visual Studio Code: its own, which Node runs; its grammars and its manifest."""
