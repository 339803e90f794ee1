"""Where work is ordered: for each kind a desk that reads the request, pins what is asked for and says it again."""
