"""Where a small change of a model used to cost many times more: each cliff with the form that is level ground."""
