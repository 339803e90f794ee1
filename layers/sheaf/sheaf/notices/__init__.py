"""Telling the world that a task has closed: the event, the project's webhook, and where a webhook may lead."""
