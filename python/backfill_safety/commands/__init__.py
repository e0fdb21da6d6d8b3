"""The commands: a module each, whose `command` is what `backfill-safety <module>` runs.

A module imports at its top only what its options need, and the rest when it runs, so that `--help` stays
quick.
"""
