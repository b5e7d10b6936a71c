"""Who runs the loop. An engine takes a Plan and an Observer and hands back an Outcome."""
