"""Small gast transformers, one construct a file; `convert.py` lists them in their order."""
