"""Declarations: types and names that they bring into a scope. Colour sets are declared by the document."""

from __future__ import annotations

from sweepcheck.models.cpn.ml import syntax, types
from sweepcheck.models.cpn.ml.inference import Inference
from sweepcheck.models.cpn.ml.scope import Binding, Scope, TypeBinding, mono
from sweepcheck.models.cpn.ml.syntax import Expr, Pattern
from sweepcheck.models.cpn.ml.types import PLAIN, Applied, Data, Scheme, Type, Variable, function, is_tuple


def declare(inference: Inference, node: syntax.Declaration) -> None:
    """Type a declaration and bring its names into the scope."""
    match node:
        case syntax.Val():
            _val(inference, node)
        case syntax.Fun():
            _fun(inference, node)
        case syntax.Datatype():
            _datatype(inference, node)
        case syntax.TypeName():
            _type_name(inference, node)
        case syntax.ExceptionName():
            _exception(inference, node)
        case syntax.Local():
            _local(inference, node)
        case syntax.Open():
            inference.scope.opened += node.names
        case _:
            what = node.what if isinstance(node, syntax.Unsupported) else "this declaration"
            raise inference.source.error("SC142", f"{what} is not supported here", node.at)


def declared_names(node: syntax.Declaration) -> list[str]:
    """The names of values that a declaration would bring."""
    match node:
        case syntax.Val():
            return sorted(_variables(node.pattern))
        case syntax.Fun():
            return [one.name for one in node.functions]
        case syntax.Local():
            return [name for one in node.shown for name in declared_names(one)]
        case syntax.Colset():
            return [node.name]
        case syntax.Unsupported() | syntax.Var():
            return list(node.names)
        case syntax.ExceptionName() | syntax.Globref() | syntax.Structure():
            return [node.name]
        case syntax.Datatype():
            return [name for name, _ in node.constructors]
    return []


def _variables(node: Pattern) -> set[str]:
    match node:
        case syntax.Bind():
            return {node.name} | (set() if node.inner is None else _variables(node.inner))
        case syntax.RecordPattern():
            return {name for _, part in node.fields for name in _variables(part)}
        case syntax.ListPattern():
            parts = [*node.items, *([] if node.rest is None else [node.rest])]
            return {name for part in parts for name in _variables(part)}
        case syntax.Built():
            return _variables(node.argument)
        case syntax.TypedPattern():
            return _variables(node.inner)
    return set()


def _val(inference: Inference, node: syntax.Val) -> None:
    inference.level += 1
    found = inference.infer(node.body)
    bound: dict[str, syntax.Bind] = {}
    inference.unify(inference.pattern(node.pattern, bound), found, node.at, "the pattern")
    inference.level -= 1
    generic = is_value(node.body)
    made = []
    for name, bind in bound.items():
        assert bind.type is not None
        scheme = inference.generalised(bind.type) if generic else mono(bind.type)
        if not generic:
            _settle_level(inference, bind.type)
        bind.binding = inference.bind(name, scheme)
        made.append(bind.binding)
    node.bindings = tuple(made)


def _settle_level(inference: Inference, given: Type) -> None:
    given = types.actual(given)
    if isinstance(given, Variable):
        given.level = min(given.level, inference.level)
    else:
        for part in given.arguments:
            _settle_level(inference, part)


def is_value(node: Expr) -> bool:
    """Whether an expression is a value as it stands, whose type may be generic."""
    match node:
        case syntax.Literal() | syntax.Name() | syntax.Fn() | syntax.Select():
            return True
        case syntax.Record():
            return all(is_value(part) for _, part in node.fields)
        case syntax.ListOf():
            return all(map(is_value, node.items))
        case syntax.Typed():
            return is_value(node.body)
        case syntax.Apply(function=syntax.Name(binding=Binding(kind="constructor"))):
            return is_value(node.argument)
    return False


def _fun(inference: Inference, node: syntax.Fun) -> None:
    inference.level += 1
    shared = inference.scope
    for one in node.functions:
        one.binding = inference.bind(one.name, mono(inference.fresh()), "function")
        one.binding.shape = tuple(
            _size([clause.patterns[position] for clause in one.clauses])
            for position in range(len(one.clauses[0].patterns))
        )
    inference.defining += [one.binding for one in node.functions if one.binding is not None]
    for one in node.functions:
        assert one.binding is not None
        for clause in one.clauses:
            inference.scope = Scope(shared)
            inference.unify(_clause(inference, clause), one.binding.scheme.type, clause.at, "this equation")
    inference.scope = shared
    inference.level -= 1
    del inference.defining[len(inference.defining) - len(node.functions) :]
    for one in node.functions:
        assert one.binding is not None
        one.binding.scheme = inference.generalised(one.binding.scheme.type)


def _clause(inference: Inference, clause: syntax.Clause) -> Type:
    bound: dict[str, syntax.Bind] = {}
    inference.nesting += 1
    arguments = [inference.pattern(one, bound) for one in clause.patterns]
    inference.bind_pattern(bound)
    result = inference.infer(clause.body)
    if clause.result is not None:
        inference.unify(result, inference.meaning(clause.result), clause.body.at, "the result")
    inference.nesting -= 1
    for argument in reversed(arguments):
        result = function(argument, result)
    return result


def _size(patterns: list[Pattern]) -> int:
    """How many arguments in Python stand for one in ML: the parts of a tuple, if all equations write one."""
    sizes = set()
    for given in patterns:
        pattern = given
        while isinstance(pattern, syntax.TypedPattern):
            pattern = pattern.inner
        if not isinstance(pattern, syntax.RecordPattern) or pattern.is_open:
            return 1
        labels = tuple(label for label, _ in pattern.fields)
        if not is_tuple(labels):
            return 1
        sizes.add(len(labels))
    return sizes.pop() if len(sizes) == 1 else 1


def _datatype(inference: Inference, node: syntax.Datatype) -> None:
    data = Data(node.name, constructors=tuple(name for name, _ in node.constructors))
    inference.scope.types[node.name] = TypeBinding(len(node.variables), lambda *given: Applied(data, given))
    inference.level += 1
    variables = {name: Variable(inference.level, equality=name.startswith("''")) for name in node.variables}
    whole = Applied(data, tuple(variables.values()))
    found = []
    for name, argument in node.constructors:
        inner = None
        if argument is not None:
            inference.annotated = dict(variables)  # type variables are the datatype's own here
            inner = inference.meaning(argument)
        found.append((name, inner))
    inference.annotated = {}
    inference.level -= 1
    for name, inner in found:
        constructor(inference.scope, data, name, inner, whole)
        data.equality = data.equality and (inner is None or types.has_equality(inner))


def constructor(scope: Scope, data: Data, name: str, argument: Type | None, whole: Type) -> Binding:
    """A constructor: a value of its own, or a function of its argument."""
    del data
    given = types.actual(whole)
    assert isinstance(given, Applied)
    variables = tuple(one for one in given.arguments if isinstance(one, Variable))
    made = Binding(
        name, Scheme(variables, whole if argument is None else function(argument, whole)), kind="constructor"
    )
    made.has_argument = argument is not None
    made.value = name
    scope.values[name] = made
    return made


def _type_name(inference: Inference, node: syntax.TypeName) -> None:
    names, meaning, scope = node.variables, node.type, inference.scope

    def make(*given: Type) -> Type:
        outer, inference.scope = inference.scope, scope
        old, inference.annotated = inference.annotated, dict(zip(names, given, strict=True))  # type: ignore[arg-type]
        found = inference.meaning(meaning)
        inference.annotated, inference.scope = old, outer
        return found

    make(*(inference.fresh() for _ in names))
    inference.scope.types[node.name] = TypeBinding(len(names), make)


def _exception(inference: Inference, node: syntax.ExceptionName) -> None:
    argument = None if node.argument is None else inference.meaning(node.argument)
    whole = PLAIN["exn"]
    made = Binding(node.name, mono(whole if argument is None else function(argument, whole)), kind="exception")
    made.has_argument = argument is not None
    made.value = node.name
    node.binding = made
    inference.scope.values[node.name] = made


def _local(inference: Inference, node: syntax.Local) -> None:
    outer = inference.scope
    inference.scope = Scope(outer)
    for one in node.hidden:
        declare(inference, one)
    inference.scope = Scope(inference.scope)
    for one in node.shown:
        declare(inference, one)
    outer.values.update(inference.scope.values)
    outer.types.update(inference.scope.types)
    inference.scope = outer
