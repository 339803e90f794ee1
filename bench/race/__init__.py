"""`make race`: Sheaf beside pg-boss, Celery, Dramatiq and procrastinate, on this machine, in one run."""
