"""What people decide on the cells of a table of papers: the last word on each, kept for ever, erased by intent only. ADR 56."""
