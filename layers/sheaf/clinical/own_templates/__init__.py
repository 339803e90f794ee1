"""A project's own templates: made and changed by callers, read back by workers."""
