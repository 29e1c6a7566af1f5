"""What do the sources themselves tell of a house? Read as text and trees, never imported."""

import ast
import io
import tokenize
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

LONG_FUNCTION, LONG_FILE = 60, 350
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
_DOCUMENTED = _FUNCTION | ast.ClassDef | ast.Module


def static_figures(package: Path) -> dict[str, Any]:
    """Counts, lengths, and the longest chain of imports of a package's sources."""
    texts = {path: path.read_text() for path in sorted(package.rglob("*.py"))}
    trees = {_module(package, path): ast.parse(text) for path, text in texts.items()}
    lines = {path: len(text.splitlines()) for path, text in texts.items()}
    longest_file = max(lines, key=lines.__getitem__)
    functions = dict(_functions(texts))
    longest_function = max(functions, key=functions.__getitem__)
    chain = longest_chain({name: set(_imports(name, trees)) for name in trees})
    return {
        "modules": sum(path.name != "__init__.py" for path in texts),
        "__init__ files": sum(path.name == "__init__.py" for path in texts),
        "entries at the top": sum(_is_entry(each) for each in package.iterdir()),
        "lines": sum(lines.values()),
        f"files over {LONG_FILE} lines": sum(each > LONG_FILE for each in lines.values()),
        "longest file": f"{longest_file.relative_to(package)}: {lines[longest_file]}",
        "functions": len(functions),
        f"functions over {LONG_FUNCTION} lines of code": sum(
            each > LONG_FUNCTION for each in functions.values()
        ),
        "longest function": f"{longest_function}: {functions[longest_function]}",
        "longest import chain": len(chain),
        "chain": " > ".join(chain).replace(f"{package.name}.", ""),
    }


def _is_entry(path: Path) -> bool:
    """A module or folder that a newcomer sees: not what starts with an underscore."""
    return path.name[0] not in "._" and (path.is_dir() or path.suffix == ".py")


def _module(package: Path, path: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _functions(texts: dict[Path, str]) -> Iterator[tuple[str, int]]:
    """Every function with its lines of code: no blank line, no comment and no docstring."""
    for path, text in texts.items():
        tree = ast.parse(text)
        code = _code_lines(text) - _docstring_lines(tree)
        for node in ast.walk(tree):
            if isinstance(node, _FUNCTION):
                span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                yield f"{path.stem}.{node.name}:{node.lineno}", len(code.intersection(span))


def _code_lines(text: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        line
        for token in tokens
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }


def _docstring_lines(tree: ast.Module) -> set[int]:
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }


def longest_chain(imports: dict[str, set[str]]) -> list[str]:
    """The longest way from a module to one that it needs, and so on; a cycle if there is one."""
    try:
        order = list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        return ["a cycle", *error.args[1]]
    below: dict[str, list[str]] = {}
    for name in order:
        reached = [below[each] for each in sorted(imports[name])]
        below[name] = [name, *max(reached, key=len, default=[])]
    return max(below.values(), key=len)


def _imports(name: str, trees: dict[str, ast.Module]) -> Iterator[str]:
    """The own modules that a module names when it is imported, without the folders above them."""
    is_folder = any(each.startswith(f"{name}.") for each in trees)
    folder = name if is_folder else name.rpartition(".")[0]
    for node in _when_imported(trees[name]):
        if isinstance(node, ast.Import):
            named = [each.name for each in node.names]
        else:
            source = resolve_name("." * node.level + (node.module or ""), folder)
            inside = [f"{source}.{each.name}" for each in node.names]
            named = [each if each in trees else source for each in inside]
        yield from (each for each in named if each in trees and each != name)


def _when_imported(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports outside of functions and of what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for each in child.orelse:
                yield from _when_imported(each)
        elif not isinstance(child, _FUNCTION | ast.Lambda):
            yield from _when_imported(child)
