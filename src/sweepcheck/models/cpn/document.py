"""What stands in a file of CPN Tools: declarations, pages with places, transitions and arcs, fusion sets, instances."""

from __future__ import annotations

from dataclasses import dataclass, field

from sweepcheck.models.markup import Source

DEFAULT_PAINT = "Black"


@dataclass(frozen=True, slots=True)
class Written:
    """A text of the file: an inscription or a declaration, and the line where it begins."""

    text: str
    line: int

    def __bool__(self) -> bool:
        return bool(self.text.strip())


@dataclass(frozen=True, slots=True)
class Figure:
    """How something is drawn: its middle, its size, and its colours; y grows upwards."""

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    paint: str = DEFAULT_PAINT
    fill: str | None = None
    thickness: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """A text beside something drawn."""

    text: str
    figure: Figure


@dataclass(slots=True)
class CpnPlace:
    """A place of a page. `port` is how it serves the page: in, out, i/o; None when it is no port."""

    id: str
    name: str
    line: int
    colour: Written
    marking: Written
    port: str | None = None
    caption: str = ""  # the name as it is drawn, in several lines
    figure: Figure = Figure()
    labels: list[Label] = field(default_factory=list)


@dataclass(slots=True)
class CpnTransition:
    """A transition of a page; a substitution transition has a subpage, and for its ports the places they stand for."""

    id: str
    name: str
    line: int
    guard: Written
    time: Written
    code: Written
    priority: Written
    subpage: str | None = None
    sockets: dict[str, str] = field(default_factory=dict)  # by ports
    caption: str = ""
    figure: Figure = Figure()
    labels: list[Label] = field(default_factory=list)


@dataclass(slots=True)
class CpnArc:
    """An arc of a page. `kind`: ptot, ttop, bothdir, inhibitor or reset."""

    id: str
    place: str
    transition: str
    kind: str
    inscription: Written
    line: int
    bends: tuple[tuple[float, float], ...] = ()
    figure: Figure = Figure()
    labels: list[Label] = field(default_factory=list)


@dataclass(slots=True)
class CpnPage:
    """A page, nodes by their ids."""

    id: str
    name: str
    line: int
    places: dict[str, CpnPlace] = field(default_factory=dict)
    transitions: dict[str, CpnTransition] = field(default_factory=dict)
    arcs: list[CpnArc] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CpnInstance:
    """An instance of a page as the file lists them: of a prime page, or of the page of a substitution transition."""

    of: str  # the id of the page, or of the substitution transition
    inside: tuple[CpnInstance, ...] = ()


@dataclass(slots=True)
class CpnDocument:
    """All of a file, in its order. Fusion sets are lists of place ids, by name."""

    source: Source
    name: str
    declarations: list[Written] = field(default_factory=list)
    pages: dict[str, CpnPage] = field(default_factory=dict)
    fusions: dict[str, list[str]] = field(default_factory=dict)
    primes: list[CpnInstance] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
