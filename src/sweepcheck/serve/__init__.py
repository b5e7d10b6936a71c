"""The live page: a server for one user on this machine, with the model in processes of its own."""
