"""Python source to staged Python, and the operators that staged Python calls."""
