"""Is the window explicit, the result verified, and is there a way back?"""
