from hypothesis import settings

# Derandomized: a run says the same thing each time, in CI as on a laptop.
settings.register_profile("course", max_examples=50, derandomize=True, deadline=None, database=None)
settings.load_profile("course")
