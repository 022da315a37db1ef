"""From a question to a result: kinds of questions, strategies to answer them, judged evidence."""
