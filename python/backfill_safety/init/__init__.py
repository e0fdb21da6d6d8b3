"""`init`: what a model's SQL reveals, written where the operation reads it, `meta.backfill_safety`."""
