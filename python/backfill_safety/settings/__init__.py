"""What a user settles once: the settings file, the project's vars."""
