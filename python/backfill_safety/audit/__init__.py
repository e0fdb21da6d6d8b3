"""The audit of a whole manifest: which models, judged in parallel or remembered; what is new."""
