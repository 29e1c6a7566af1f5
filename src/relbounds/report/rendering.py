"""How do plain values become markup? Templates that escape all they are given."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def _loader() -> PackageLoader:
    return PackageLoader("relbounds.report")


@cache
def _environment() -> Environment:
    return Environment(
        loader=_loader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(template: str, **values: Any) -> str:
    """A template filled in; every text among the values stays text."""
    return _environment().get_template(template).render(**values, asset=asset, digest=digest)


@cache
def asset(name: str) -> Markup:
    """A style sheet or script of this package, as it is."""
    return Markup(_loader().get_source(_environment(), name)[0].strip())


def digest(name: str) -> str:
    """What a content security policy knows an asset by."""
    return f"sha256-{b64encode(sha256(asset(name).encode()).digest()).decode()}"
