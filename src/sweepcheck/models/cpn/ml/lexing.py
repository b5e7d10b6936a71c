"""From the text of CPN ML to its words, as Standard ML splits it: the longest word counts.

Kinds of colour sets (`list`, `index`, ...) are words of their own only where a colour set is declared: elsewhere they
are names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token

from sweepcheck.models.cpn.ml.source import Text

RESERVED = frozenset({
    "and", "andalso", "as", "case", "datatype", "do", "else", "end", "exception", "fn", "fun", "handle", "if", "in",
    "infix", "infixr", "let", "local", "nonfix", "of", "op", "open", "orelse", "raise", "rec", "then", "type",
    "val", "while", "with", "withtype", "structure", "struct", "sig", "signature", "functor", "abstype", "colset",
    "var", "globref",
})  # fmt: skip
KINDS = frozenset({
    "unit", "bool", "int", "intinf", "real", "string", "index", "product", "record", "list", "union", "subset",
    "time", "char",
})  # fmt: skip
LITERAL_KINDS = frozenset({"int", "real", "string", "char"})  # whose words in capitals are literals
BEHIND_KINDS = frozenset({"timed", "declare", "by"})
CODE = frozenset({"input", "output", "action"})
STARTS = frozenset({
    "val", "fun", "colset", "var", "globref", "local", "exception", "datatype", "type", "open", "infix", "infixr",
    "structure",
})  # fmt: skip
SIGNS = {
    "=": "EQUALS", "=>": "DARROW", "->": "ARROW", "|": "BAR", ":": "COLON", "*": "STAR", ":>": "COLON",
}  # fmt: skip
BRACKETS = {
    "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE", ",": "COMMA", ";": "SEMI",
    "...": "DOTS", "..": "DOTDOT", "_": "WILD",
}  # fmt: skip
KEPT = frozenset({
    "ID", "SYMBOL", "INT", "HEX", "REAL", "STRING", "CHAR", "SELECT", "TYVAR", "INT_", "INTINF", "REAL_", "CHAR_",
    "TIME", "INFIX", "INFIXR", "ANDALSO", "ORELSE", "TIMED",
})  # fmt: skip  # words that leave a trace in the tree; the names of others begin with an underscore
MOST_NESTED = 100  # brackets within brackets
LONGEST = 1_000_000  # characters of one text

_NAME = r"[A-Za-z][A-Za-z0-9_']*"
_SYMBOLS = r"[!%&$#+\-/:<=>?@\\~`^|*]+"
_WORD = re.compile(
    rf"""(?P<SPACE>\s+)
    |(?P<REAL>~?\d+\.\d+(?:[eE]~?\d+)?|~?\d+[eE]~?\d+)
    |(?P<WORDNUMBER>0w[0-9x]\w*)
    |(?P<HEX>~?0x[0-9a-fA-F]+)
    |(?P<INT>~?\d+)
    |(?P<STRING>\#?"(?:[^"\\\n]|\\\s+\\|\\[^\s])*")
    |(?P<SELECT>\#\s*(?:{_NAME}|[1-9]\d*))
    |(?P<TYVAR>'{{1,2}}[A-Za-z0-9_']+)
    |(?P<ID>{_NAME}(?:\.(?:{_NAME}|{_SYMBOLS}))*)
    |(?P<BRACKET>\.\.\.|\.\.|[()\[\]{{}},;_])
    |(?P<SYMBOL>{_SYMBOLS})""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r'\\(?:(\d{3})|\^(.)|u([0-9a-fA-F]{4})|([abtnvfr"\\])|(\s+)\\)')
_ESCAPED = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


def without_comments(source: Text) -> str:
    """The text with blanks for its comments, which may be nested, so that offsets stay."""
    text = source.text
    if "(*" not in text:
        return text
    pieces: list[str] = []
    depth, start, position = 0, 0, 0
    for found in re.finditer(r'\(\*|\*\)|"(?:[^"\\\n]|\\.)*"', text):
        sign = found.group()
        if sign == "(*":
            if depth == 0:
                pieces.append(text[position : found.start()])
                start = found.start()
            depth += 1
        elif sign == "*)" and depth:
            depth -= 1
            if depth == 0:
                position = found.end()
                pieces.append(re.sub(r"[^\n]", " ", text[start:position]))
    if depth:
        raise source.error("SC140", "a comment has no end", start, "end it with *)")
    return "".join(pieces) + text[position:]


def words(source: Text, *, code: bool = False) -> Iterator[Token]:
    """The words of a text; in a code segment `input`, `output` and `action` are reserved."""
    if len(source.text) > LONGEST:
        raise source.error("SC140", f"the text has {len(source.text):,} characters", 0, f"at most {LONGEST:,} are read")
    text = without_comments(source)
    position, depth = 0, 0
    colset = fresh = False  # within the declaration of a colour set; just behind its =
    while position < len(text):
        found = _WORD.match(text, position)
        if found is None:
            raise source.error("SC140", f"{text[position]!r} cannot stand here", position, _advice(text[position]))
        kind, word, at, position = str(found.lastgroup), found.group(), position, found.end()
        if kind == "SPACE":
            continue
        if kind == "BRACKET":
            depth += (word in "([{") - (word in ")]}")
            if depth > MOST_NESTED:
                raise source.error("SC140", f"more than {MOST_NESTED} brackets are nested", at, "give parts names")
            colset = colset and (word != ";" or depth > 0)
        special = (word in KINDS and fresh) or (word in BEHIND_KINDS and colset) or (word in CODE and code)
        if kind == "ID" and word in STARTS:
            colset = word == "colset"
        if kind == "ID" and word == "use" and re.match(r'\s*["(]', text[position:]):
            kind = "USE"
        yield _token(source, kind, word, at, special)
        fresh = colset and word == "="


def _token(source: Text, kind: str, word: str, at: int, special: bool) -> Token:
    value: object = word
    if kind == "ID" and (word in RESERVED or special):
        kind = word.upper() + "_" * (word in LITERAL_KINDS)
    elif kind == "SYMBOL":
        kind = SIGNS.get(word, "SYMBOL")
    elif kind == "BRACKET":
        kind = BRACKETS[word]
    elif kind == "SELECT":
        value = word[1:].strip()
    elif kind == "STRING":
        kind = "CHAR" if word[0] == "#" else "STRING"
        value = _unescaped(source, word.strip("#")[1:-1], at)
        if kind == "CHAR" and len(str(value)) != 1:
            raise source.error("SC140", f"{word} is not one character", at)
    elif kind == "WORDNUMBER":
        raise source.error("SC142", f"{word} is a machine word", at, "words are not supported: use int or intinf")
    token = Token(kind if kind in KEPT else "_" + kind, word if not isinstance(value, str) else value)
    token.start_pos = at
    return token


def _unescaped(source: Text, inner: str, at: int) -> str:
    def plain(found: re.Match[str]) -> str:
        number, control, unicode, letter, _ = found.groups()
        if number is not None:
            return chr(int(number) % 256)
        if control is not None:
            return chr(ord(control) - 64 & 31)
        if unicode is not None:
            return chr(int(unicode, 16))
        return "" if letter is None else _ESCAPED[letter]

    rest = _ESCAPE.sub("", inner)
    if "\\" in rest:
        raise source.error("SC140", "the text has an escape that ML does not know", at, r"write \n, \t, \", \\ or \065")
    return _ESCAPE.sub(plain, inner)


def _advice(sign: str) -> str | None:
    if sign == '"':
        return "the text in quotes does not end in this line"
    return {"’": "write '", "‘": "write `", "–": "write -", "“": 'write "', "”": 'write "'}.get(sign)
