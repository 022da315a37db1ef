"""Ways to answer a question, one module for each."""
