"""What proves that a feature matters? Each module asks for one kind of evidence."""
