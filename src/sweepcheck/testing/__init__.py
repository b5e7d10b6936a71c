"""Random models, and the conformance kit that every engine has to pass; shipped for engines written elsewhere."""
