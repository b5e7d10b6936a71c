"""Variables that are made of others: what they consist of, and how an action reads and writes their parts."""
