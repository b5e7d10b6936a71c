"""Random models and the conformance kit for engines; shipped, so that others can test theirs."""
