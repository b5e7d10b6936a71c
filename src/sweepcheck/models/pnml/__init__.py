"""Nets of other tools: PNML files (ISO 15909-2), as the Model Checking Contest uses them."""
