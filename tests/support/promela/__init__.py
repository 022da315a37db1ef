"""Small models in Promela, with what SPIN finds in them."""
