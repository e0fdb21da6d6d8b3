"""Does running a unit again leave exactly the same rows?"""
