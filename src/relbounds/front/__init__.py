"""What do explorer, notebook and report show? Modules of our own, as they are or as one script.

Notebooks and reports cannot load modules. There each becomes a function that is called once and
gives what it exports.
"""

import re
from functools import cache
from importlib.resources import files

FRONT = files("relbounds.front")
_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./(\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?:async )?(?:const|class|function) (\w+)", re.M)


@cache
def source(name: str) -> str:
    """A file of the front end, as it is."""
    return (FRONT / name).read_text(encoding="utf-8")


@cache
def bundle(entry: str) -> str:
    """A module and all that it imports, each after what it needs; ``$entry`` has its exports."""
    return "\n".join(_wrapped(name) for name in _in_order(entry))


def _in_order(name: str) -> list[str]:
    needed = [found[1] for found in _IMPORT.findall(source(f"{name}.js"))]
    ordered = [each for module in needed for each in _in_order(module)]
    return list(dict.fromkeys([*ordered, name]))


def _wrapped(name: str) -> str:
    text = source(f"{name}.js")
    exported = ", ".join(_EXPORT.findall(text))
    body = _IMPORT.sub(r"const { \1 } = $\2;", text)
    body = re.sub(r"^export ", "", body, flags=re.M)
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"
