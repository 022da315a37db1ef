"""Turns a question into a result: kinds of questions, strategies to answer them, judged evidence."""
