"""Models and what can be asked of them: what `import fairlead` gives."""
