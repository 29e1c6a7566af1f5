"""How the documentation is built: ``make docs``.

The pages are read where they lie, from the root of the repository, so that a link that works on a
repository page works on the site too, and result pages of the experiments belong to it.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import command_reference
import gallery

from relbounds import __version__

project = "relbounds"
author = "The relbounds developers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "experiments/results/*/*.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = ["docs/_build"]

html_theme = "furo"
html_title = f"relbounds {version}"
html_show_copyright = False
html_extra_path = ["site", "_build/made"]  # leads from the top to docs/index; pictures, a sample
html_static_path = ["static"]
html_css_files = ["pages.css"]
gallery.MADE.mkdir(parents=True, exist_ok=True)

myst_heading_anchors = 3
myst_links_external_new_tab = False
autodoc_typehints = "none"  # types are said in the docstrings
autodoc_member_order = "bysource"
nitpick_ignore_regex = [("py:(class|exc|obj|attr|meth|func)", r"(?!relbounds).*")]  # not our pages
numpydoc_show_class_members = False  # each page names those that it shows


def setup(app):
    app.connect("builder-inited", gallery.make)
    app.connect("source-read", command_reference.fill_in)
    app.connect("source-read", gallery.fill_in)
