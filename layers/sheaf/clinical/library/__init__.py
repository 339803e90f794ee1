"""The library: knowledge bases, documents, and what is read of them, once, when they arrive.

Work on tasks sees it through `clinical.library.for_tasks` alone; the import contract in pyproject.toml says so.
"""
