"""The library, read once when files arrive. Work on tasks sees it through `clinical.library.for_tasks` alone."""
