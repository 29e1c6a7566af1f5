"""What do machines read? The schema is in docs/json.md; a change of meaning is a new number."""

import json
import math
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from relbounds._version import __version__
from relbounds.commands.answer import Answer

SCHEMA = 1
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "highspy", "numba")


def to_json(answer: Answer) -> str:
    """All that was found, as text; what is no number is null."""
    return json.dumps(_without_nan(to_dict(answer)), indent=1, ensure_ascii=False, allow_nan=False)


def to_dict(answer: Answer) -> dict[str, Any]:
    """The document described in docs/json.md."""
    result = answer.result
    plain = result.to_dict()
    return {
        "schema": SCHEMA,
        "source": answer.source,
        "target": answer.target,
        "task": result.task,
        "classes": plain["data"]["classes"],
        "n_samples": result.data.n_samples,
        "summary": answer.summary,
        "features": [row for side in answer.sides for row in answer.rows(side)],
        "thresholds": {
            name: side.thresholds.to_dict() if side.thresholds else None
            for name, side in answer.sides.items()
        },
        "notes": list(answer.notes),
        "warnings": list(answer.warnings),
        "command": answer.command,
        "seed": answer.seed,
        "versions": versions(),
        "result": plain,
    }


def versions() -> dict[str, str]:
    """Of Python, of relbounds and of the packages that numbers depend on."""
    found = {"python": platform.python_version(), "relbounds": __version__}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # an extra that is not installed
            continue
    return found


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
