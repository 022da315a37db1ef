"""Small programs, one for each thing the manual says, with what SPIN answers: expected.tsv."""
