"""How are templates filled in? Every text among the values stays text."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from relbounds.wording.evidence import KINDS

_WITHIN = re.compile(r"(?<=[_=/:;|])(?=\w)|(?<=\w-)(?=\w)|(?<=[.,])(?=[^\W\d])|(?<=[a-z])(?=[A-Z])")
"""Where a name may go on in the next line: after a sign, and before a capital letter."""


def rendered(template: str, **values: Any) -> str:
    """A template filled in; every text among the values stays text."""
    filled = _environment().get_template(template)
    return filled.render(**values, asset=asset, digest=digest, kinds=KINDS)


@cache
def asset(name: str) -> Markup:
    """A style sheet or script of this package, as it is."""
    return Markup(_loader().get_source(_environment(), name)[0].strip())


def digest(name: str) -> str:
    """What a content security policy knows an asset by."""
    return digest_of(asset(name))


def digest_of(text: str) -> str:
    """The same of any text of a script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=_loader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breakable"] = breakable
    return environment


@cache
def _loader() -> PackageLoader:
    return PackageLoader("relbounds.report")


def breakable(name: str) -> Markup:
    """A name that goes on in the next line between its parts rather than within them."""
    return Markup("<wbr>").join(_WITHIN.split(name))
