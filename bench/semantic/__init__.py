"""Forged pairs: a quote that the paper has, and a value that it does not bear out. Nothing here knows how evidence is checked.

No import from `clinical`, no word list of it, no reader of it: a checker that passes shares no mistake with this.
"""
