"""CPN ML, the language of CPN Tools: declarations and inscriptions, typed, and written down as Python.

    ml = Ml(overrides={"Limit": "4"}, folder=Path("."))
    ml.declare("colset INT = int with 1..Limit; var n: INT; fun next n = n + 1;", Where("", "declaration", 12))
    arc = ml.inscription("1`next n ++ empty", Where("Top", "arc from Send to A", 80), ml.colours["INT"], "arc")
    arc.terms[0].token, arc.names, arc.evaluate({"n": 1})

Texts are read by a grammar (`lexing`, `parsing`, `syntax`), typed by inference (`types`, `inference`) and become Python
source (`writing`), which sees nothing but `ml.namespace`: the functions of the library (`library`) and of the model.
A declaration is typed when it is declared. What it lacks or what is not supported is an error only where a run needs
it; until then it is a note.

Values are plain: int, float, str, bool, () for unit, tuples for products and lists, records as tuples in the order of
their labels (as Standard ML sorts them), the name of an enumerated value or a constructor without argument as str,
`(name, argument)` for other constructors and for index values. A multiset is a list: a tuple of tokens. A timed one
is a tuple of (token, delay): relative to the clock.
"""

from sweepcheck.models.cpn.ml.colours import Colour
from sweepcheck.models.cpn.ml.document import Ml, Variable
from sweepcheck.models.cpn.ml.inscriptions import Code, Condition, Either, Inscription, Term
from sweepcheck.models.cpn.ml.source import Where

__all__ = ["Code", "Colour", "Condition", "Either", "Inscription", "Ml", "Term", "Variable", "Where"]
