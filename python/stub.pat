# What nanobind's stub generator cannot know.
_core.type_names:
    type_names: tuple[str, ...]
