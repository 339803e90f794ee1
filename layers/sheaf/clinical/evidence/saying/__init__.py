"""What the words of a quote say of a value, beside the cues of choices: texts, countries, whom a number counts, which arm it is of."""
