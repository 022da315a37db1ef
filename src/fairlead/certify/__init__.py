"""The checker of certificates: a small program without the engine, which searches for nothing."""
