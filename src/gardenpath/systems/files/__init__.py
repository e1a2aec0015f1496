"""What systems read and write: models, trees, surprisals, text."""
