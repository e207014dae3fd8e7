"""What people use from outside of their programs: the command line, the report, notebooks, tests."""
