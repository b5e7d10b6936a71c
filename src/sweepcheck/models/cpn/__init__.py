"""Files of CPN Tools: hierarchical coloured Petri nets with inscriptions in CPN ML."""
