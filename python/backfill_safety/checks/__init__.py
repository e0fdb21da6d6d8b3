"""The six checks: a room each, a rule a file; facts in, findings out."""
