"""The attacker's side, as programs: each module tries to take something and says what it got.

A module here has two names. Its docstring says who attacks, what they want and which wall stands in the way.
`attack(walls)` plays it against the product's own code and gives what was taken, a line each; an empty list is nothing.
With `walls=False` that one wall is taken away, by an argument or a setting that the product has, and something must be
taken: an attack that never succeeds shows nothing about the wall.
"""
