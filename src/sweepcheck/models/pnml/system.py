"""A PNML file as a model."""

from __future__ import annotations

from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.document import read_document
from sweepcheck.models.pnml.naming import names
from sweepcheck.models.pnml.translation import translated


class PnmlModel(NetModel):
    """The model of a net from a file; formulas name its nodes by their ids there."""

    def __init__(self, net: Net, ids: dict[str, str]) -> None:
        super().__init__(net)
        self.ids = ids


def read_pnml(path: Path, limits: FileLimits) -> NetModel:
    """The model in a PNML file."""
    pnml = read_document(path, limits)
    called = names(pnml)
    return PnmlModel(translated(pnml, called), called)
