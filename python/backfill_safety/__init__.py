"""Find what makes a dbt model unsafe to reprocess, from its manifest alone."""
