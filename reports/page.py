"""Pages: HTML files that hold all they need, made from templates that escape what they are given."""

import base64
import hashlib
from importlib.resources import files
from typing import Any


def page(name: str, **content: Any) -> bytes:
    """Return a page.

    Parameters
    ----------
    name : str
        Of its template, script and style: `name.html`, `name.js` and `name.css`, on what all pages share (`page.html`
        and `page.css`).
    content
        What the template shows; it is escaped.

    Returns
    -------
    bytes
        HTML in UTF-8, the same for the same content. It loads nothing: its policy forbids everything but its own
        script and style, which it names by their hashes; a template may allow style attributes, as charts have them.
    """
    import jinja2
    from markupsafe import Markup

    folder = files("reports") / "templates"

    def source(file: str) -> str:
        return (folder / file).read_text(encoding="utf-8")

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(source),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script, style = source(f"{name}.js"), source("page.css") + source(f"{name}.css")
    text = environment.get_template(f"{name}.html").render(
        **content,
        script=Markup(script),  # noqa: S704 - our own
        style=Markup(style),  # noqa: S704
        script_hash=_hash(script),
        style_hash=_hash(style),
    )
    return text.encode("utf-8", "replace")  # a command may name a file whose name is not text


def _hash(text: str) -> str:
    """Return a hash as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
