"""Is the work cut into per-partition commits inside an explicit window?"""
