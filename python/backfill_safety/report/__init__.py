"""What a reader of findings gets to see: one file a format."""
