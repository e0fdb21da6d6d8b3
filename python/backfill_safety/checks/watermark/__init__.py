"""Is the live cursor exactly where it was?"""
