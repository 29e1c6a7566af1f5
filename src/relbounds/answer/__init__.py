"""From any table to an answer that shows itself: in Python as at the shell."""
