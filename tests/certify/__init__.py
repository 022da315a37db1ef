"""The checker of certificates."""
