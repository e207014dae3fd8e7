"""What becomes of each statement and expression of Python, as tables: a file is a chapter, a row a construct.

`tests/test_language.py` runs each row, and writes docs/language.md from them.
"""
