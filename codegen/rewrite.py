"""The generator's output made exact: a formatter that works on the syntax tree.

What it does not know makes generation fail, so that nothing new can weaken a check.
"""

import ast
import re
import sys
from pathlib import Path
from typing import NoReturn

from datamodel_code_generator.format import CustomCodeFormatter
from msgspec import defstruct

from codegen import contract

__all__ = ["CodeFormatter"]

_SCALARS = {"str", "int", "float", "bool", "Literal", "UnsetType"}
_OPEN = {"Any", "dict"}
_SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
_CHECKS = "openwop_evals._struct"


class CodeFormatter(CustomCodeFormatter):
    """The custom formatter that pyproject.toml names."""

    def apply(self, code: str) -> str:
        """Rewrite one module of the generator's output; ruff formats it afterwards."""
        tree = ast.parse(code)
        _Module(tree).rewrite()
        return ast.unparse(tree)


class _Module:
    """One generated module: its classes, and what they need from the checks."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.aliases = {
            node.target.id
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        }
        self.imported = {
            alias.name
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.level
            for alias in node.names
        }
        self.properties = {
            title: list(schema["properties"])
            for title, schema in contract.objects(contract.load(_SCHEMAS)).items()
        }
        self.patterns: list[ast.stmt] = []
        self.helpers: set[str] = set()

    def rewrite(self) -> None:
        _strip_descriptions(self.tree)
        self._drop_untyped_roots()
        unique = {name: self._rewrite_fields(node) for name, node in self.classes.items()}
        for name, node in self.classes.items():
            self._order_fields(node)
            checks = [*self._id_checks(node), *map(_unique_check, unique[name])]
            if unique[name]:
                self.helpers.add("check_unique")
            if checks:
                node.body.append(_post_init(checks))
            keywords = ["frozen=True"]  # inherited, but type checkers do not see it
            if not self._is_open(name):
                keywords.append("gc=False")
            node.keywords += [_keyword(text) for text in keywords]
        self._add_imports()

    def _drop_untyped_roots(self) -> None:
        """Drop the alias of a schema that is only a folder of definitions."""
        for node in list(self.tree.body):
            if isinstance(node, ast.AnnAssign) and "Any" in ast.dump(node.value or node):
                place = self.tree.body.index(node)
                del self.tree.body[place : place + 2]  # the alias and its docstring
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                seen: set[str] = set()
                node.value = _Annotation(self._known(), seen).visit(node.value)
                if "set" in seen:
                    _fail(f"{ast.unparse(node.target)}: nothing checks that its items are unique")

    def _known(self) -> set[str]:
        return _SCALARS | _OPEN | self.classes.keys() | self.aliases | self.imported

    def _rewrite_fields(self, node: ast.ClassDef) -> list[ast.AnnAssign]:
        """Rewrite the annotations; returns the fields whose items must be unique."""
        unique = []
        for field in _fields(node):
            seen: set[str] = set()
            field.annotation = _Annotation(self._known(), seen).visit(field.annotation)
            if "set" in seen:
                unique.append(field)
            self._drop_implied_name(field)
        return unique

    def _drop_implied_name(self, field: ast.AnnAssign) -> None:
        if not isinstance(field.value, ast.Call):
            return
        given = {word.arg: word.value for word in field.value.keywords}
        if not given.keys() <= {"name", "default"} or field.value.args:
            _fail(f"unknown field: {ast.unparse(field)}")
        if ast.literal_eval(given["name"]) == _camel(_name(field)):
            field.value = given.get("default")

    def _order_fields(self, node: ast.ClassDef) -> None:
        """Put the fields in the schema's order, which is the order on the wire."""
        order = self.properties[node.name]
        members: list[list[ast.stmt]] = [[]]  # first what stands before the fields
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                members.append([])
            members[-1].append(statement)
        fields = sorted(members[1:], key=lambda member: order.index(_wire_name(member[0])))
        node.body = [statement for member in (members[0], *fields) for statement in member]

    def _id_checks(self, owner: ast.ClassDef) -> list[str]:
        """Move the patterns of an array's items into one check in the array's owner."""
        checks = []
        for field in _fields(owner):
            item = _item_class(field)
            if item is None or item not in self.classes or self._uses(item) != 1:
                continue
            for inner in _fields(self.classes[item]):
                pattern = _take_pattern(inner) if inner.value is None else None
                if pattern is None:
                    continue
                constant = f"_{_snake(item)}_{_name(inner)}".upper()
                self.patterns += ast.parse(f"{constant} = ids_pattern({pattern!r})").body
                self.helpers |= {"check_ids", "ids_pattern"}
                name = _name(field)
                checks.append(
                    f"check_ids({_wire_name(field)!r}, {constant}, "
                    f"[item.{_name(inner)} for item in self.{name}])"
                )
        return checks

    def _uses(self, name: str) -> int:
        return sum(
            isinstance(part, ast.Name) and part.id == name
            for node in self.classes.values()
            for field in _fields(node)
            for part in ast.walk(field.annotation)
        )

    def _is_open(self, name: str) -> bool:
        """Whether a value of the class can be part of a reference cycle."""
        names = {
            part.id
            for field in _fields(self.classes[name])
            for part in ast.walk(field.annotation)
            if isinstance(part, ast.Name)
        }
        return bool(names & _OPEN) or any(
            self._is_open(other) for other in names & self.classes.keys()
        )

    def _add_imports(self) -> None:
        uses = {part.id for part in ast.walk(self.tree) if isinstance(part, ast.Name)}
        body: list[ast.stmt] = []
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                if node.module == _CHECKS:
                    node.names += [ast.alias(name) for name in sorted(self.helpers)]
                node.names = [alias for alias in node.names if alias.name in uses | self.helpers]
                if not node.names:
                    continue
            body.append(node)
        after = 1 + max(at for at, node in enumerate(body) if isinstance(node, ast.ImportFrom))
        self.tree.body = [*body[:after], *self.patterns, *body[after:]]


class _Annotation(ast.NodeTransformer):
    """Tuples for lists and sets, patterns by Python's rules, and no text in the metadata."""

    def __init__(self, known: set[str], seen: set[str]) -> None:
        self.known = known
        self.seen = seen

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id not in self.known:
            _fail(f"unknown type: {node.id}")
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if node.value is not None:
            _fail(f"unknown type: {node.value!r}")
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        outer = ast.unparse(node.value)
        if outer == "Literal":
            return node
        if outer == "Annotated" and isinstance(node.slice, ast.Tuple):
            inner, meta = node.slice.elts
            node.slice.elts = [self.visit(inner), _meta(meta)]
            return node if node.slice.elts[1].keywords else node.slice.elts[0]  # type: ignore[attr-defined]
        if outer in {"list", "set"}:
            self.seen.add(outer)
            return _expression(f"tuple[{ast.unparse(self.visit(node.slice))}, ...]")
        if ast.unparse(node) != "dict[str, Any]":
            _fail(f"unknown type: {ast.unparse(node)}")
        return node


def _meta(node: ast.expr) -> ast.Call:
    if not isinstance(node, ast.Call) or node.args:
        _fail(f"unknown metadata: {ast.unparse(node)}")
    kept = []
    for word in node.keywords:
        if word.arg == "pattern":
            body = ast.literal_eval(word.value).removesuffix("$")
            word.value = ast.Constant(body + r"\Z")  # Python's $ would let a final newline pass
        elif word.arg in {"title", "description"}:
            continue
        elif word.arg not in {"ge", "le", "min_length", "max_length"}:
            _fail(f"unknown metadata: {ast.unparse(word)}")
        kept.append(word)
    node.keywords = kept
    return node


def _take_pattern(field: ast.AnnAssign) -> str | None:
    """Take the pattern off a required string field, if it has one and nothing else."""
    node = field.annotation
    if not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple)):
        return None
    if ast.unparse(node.value) != "Annotated":
        return None
    inner, meta = node.slice.elts
    if not isinstance(meta, ast.Call) or [word.arg for word in meta.keywords] != ["pattern"]:
        return None
    field.annotation = inner
    return str(ast.literal_eval(meta.keywords[0].value)).removesuffix(r"\Z") + "$"


def _item_class(field: ast.AnnAssign) -> str | None:
    """The class of a required array's items."""
    text = ast.unparse(field.annotation)
    if field.value is None and isinstance(field.annotation, ast.Subscript):
        inner = field.annotation
        if text.startswith("Annotated[") and isinstance(inner.slice, ast.Tuple):
            text = ast.unparse(inner.slice.elts[0])
    if field.value is None and text.startswith("tuple[") and text.endswith(", ...]"):
        return text.removeprefix("tuple[").removesuffix(", ...]")
    return None


def _unique_check(field: ast.AnnAssign) -> str:
    call = f"check_unique({_wire_name(field)!r}, self.{_name(field)})"
    return call if field.value is None else f"if self.{_name(field)} is not UNSET:\n    {call}"


def _post_init(checks: list[str]) -> ast.stmt:
    lines = "\n".join(checks).replace("\n", "\n    ")
    return ast.parse(f"def __post_init__(self) -> None:\n    {lines}").body[0]


def _fields(node: ast.ClassDef) -> list[ast.AnnAssign]:
    return [statement for statement in node.body if isinstance(statement, ast.AnnAssign)]


def _name(field: ast.AnnAssign) -> str:
    return ast.unparse(field.target)


def _wire_name(field: ast.stmt) -> str:
    if not isinstance(field, ast.AnnAssign):
        _fail(f"expected a field: {ast.unparse(field)}")
    if isinstance(field.value, ast.Call):
        for word in field.value.keywords:
            if word.arg == "name":
                return str(ast.literal_eval(word.value))
    return _camel(_name(field))


def _camel(name: str) -> str:
    """The wire name that ``rename="camel"`` gives, asked of msgspec itself."""
    return defstruct("Probe", [name], rename="camel").__struct_encode_fields__[0]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name)


def _strip_descriptions(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = str(node.value.value).strip()


def _keyword(text: str) -> ast.keyword:
    call = _expression(f"f({text})")
    assert isinstance(call, ast.Call)  # noqa: S101 - for the type checker
    return call.keywords[0]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _fail(reason: str) -> NoReturn:
    sys.stderr.write(f"codegen: {reason.strip()}\n")
    raise SystemExit(2)  # an Exception would only be a warning
