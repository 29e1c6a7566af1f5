"""What can be asked in a shell? A module for each command, and what they share."""
