"""Sites inside this process, one after the other: for tests, and to compare the driver with other engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sweepcheck.cluster.messages import Batch, Order, Told
from sweepcheck.cluster.owners import Field
from sweepcheck.cluster.site import Site
from sweepcheck.core.plan import Plan


class LocalSites:
    """See `Sites`."""

    def __init__(self, plan: Plan, count: int, owner: Sequence[Field] = ()) -> None:
        self._plan, self._owner = plan, owner
        self.count = count
        self._sites: list[Site] = []

    def start(self, *, count_natively: bool, resumes: bool) -> None:
        """See `Sites`."""
        self.close()
        options: Any = {"count_natively": count_natively, "resumes": resumes, "owner": self._owner}
        self._sites = [Site(self._plan, me, self.count, **options) for me in range(self.count)]

    def all(self, method: str, *arguments: Sequence[Any]) -> list[Any]:
        """See `Sites`."""
        each = zip(*arguments, strict=True) if arguments else [()] * self.count
        return [getattr(site, method)(*given) for site, given in zip(self._sites, each, strict=True)]

    def one(self, site: int, method: str, *arguments: Any) -> Any:
        """See `Sites`."""
        return getattr(self._sites[site], method)(*arguments)

    def step(self, orders: Sequence[Order], inboxes: Sequence[Sequence[Batch]]) -> tuple[list[Told], list[list[Any]]]:
        """See `Sites`."""
        calls = zip(self._sites, orders, inboxes, strict=True)
        results = [site.step(order, inbox) for site, order, inbox in calls]
        return [told for told, _ in results], [batches for _, batches in results]

    def close(self) -> None:
        """See `Sites`."""
        for site in self._sites:
            site.close()
        self._sites = []
