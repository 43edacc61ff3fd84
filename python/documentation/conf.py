"""The documentation site: sphinx-build python/documentation OUT, with the built package on PYTHONPATH.

The examples of its pages run when it is built (extensions/examples.py). What the code says itself, such as formulas,
formats and help texts, is taken from there (extensions/from_code.py).
"""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import isthmus

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
import from_code  # noqa: E402

MATHJAX = Path("/usr/share/javascript/mathjax")  # Debian's libjs-mathjax
MATHJAX_PARTS = [
    "MathJax.js",
    "config/TeX-AMS_CHTML.js",
    "extensions",
    "jax/element",
    "jax/input/TeX",
    "jax/output/CommonHTML",
    "fonts/HTML-CSS/TeX/woff",
]

project = "isthmus"
author = "the isthmus developers"
version = release = isthmus.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "examples",
]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
html_theme = "furo"
html_title = f"isthmus {version}"
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"
mathjax2_config = {
    "CommonHTML": {"linebreaks": {"automatic": True}, "scale": 95},
    "messageStyle": "none",
    "showMathMenu": False,
}
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"
copybutton_selector = "div:not(.output) > div.highlight > pre"
suppress_warnings = ["myst.header"]
exclude_patterns = ["README.md", "generated", "notebooks/results"]
default_role = "code"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False
napoleon_preprocess_types = True
napoleon_use_ivar = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
add_module_names = False
nitpicky = False


def known_names(signature: str | None) -> str | None:
    """A signature of the module as one of Python: without self, its classes by the names that users know."""
    return signature and re.sub(r"self: [\w.]+(, )?", "", signature).replace("isthmus._core.", "")


def copy_mathjax(app: Any, failure: Exception | None) -> None:
    """What the pages need of MathJax, beside them: no page asks a server for anything."""
    if failure or app.builder.name != "html":
        return
    for part in MATHJAX_PARTS:
        to = Path(app.outdir) / "_static/mathjax" / part
        to.parent.mkdir(parents=True, exist_ok=True)
        if (MATHJAX / part).is_dir():
            shutil.copytree(MATHJAX / part, to, dirs_exist_ok=True)
        else:
            shutil.copyfile(MATHJAX / part, to)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", lambda *event: tuple(map(known_names, event[-2:])))
    app.connect("build-finished", copy_mathjax)


from_code.generate()
