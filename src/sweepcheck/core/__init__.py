"""The nouns: values, models, measures, properties, plans, outcomes, traces, verdicts. Nothing here runs anything."""
