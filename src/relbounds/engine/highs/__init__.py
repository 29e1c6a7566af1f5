"""The exact engine: linear programs on HiGHS."""
