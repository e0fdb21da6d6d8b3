"""Can the live run and the backfill never write the same partition at once, nor block each other?"""
