"""Front-ends: everything a user can hand over as a model, turned into a `core.model.System`."""
