"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import jitscope

project = "jitscope"
release = version = jitscope.__version__
copyright = "the jitscope authors"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = False
default_role = "code"

myst_heading_anchors = 3
# Values of attributes tell nothing, and some of them are addresses.
autodoc_default_options = {"no-value": True}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "jitscope"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]


def setup(app: Sphinx) -> None:
    """Diagrams that other places draw stay texts here: the site runs no script from elsewhere."""
    app.add_lexer("mermaid", TextLexer)
    app.add_lexer("ipython", TextLexer)
