"""A call to a language model: whether it may be made, how it is made, what it means and what it costs."""
