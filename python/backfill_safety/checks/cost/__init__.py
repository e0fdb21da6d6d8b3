"""Are rows, bytes, units and rate known and capped before the run?"""
