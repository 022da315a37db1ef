"""Answers what editors, web pages and agents ask about models, without any protocol."""
