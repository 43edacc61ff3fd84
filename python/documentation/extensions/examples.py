"""Sphinx extension: the examples of a page run when it is read, and their output stands below them.

What is an example: pages.py. Notebooks are pages too, each run in a kernel of its own. An example that fails ends the
build.
"""

import hashlib
import os
import re
import tempfile
from base64 import b64decode
from pathlib import Path
from typing import Any

import nbformat
import pages
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sphinx.errors import ExtensionError

TIMEOUT_S = 300
COLOURS = re.compile(r"\x1b\[[\d;]*m")
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # else every kernel warns of its debugger
GENERATED = Path(__file__).parents[1] / "generated"


class Kernel:
    """One kernel for the cells of all pages; each page finds it empty, in its own folder."""

    def __init__(self) -> None:
        self.client: Any = None

    def _started(self) -> Any:
        if self.client is None:
            self.client = NotebookClient(nbformat.v4.new_notebook(), timeout=TIMEOUT_S, kernel_name="python3")
            self.client.create_kernel_manager()
            self.client.start_new_kernel()
            self.client.start_new_kernel_client()
        return self.client

    def run(self, code: str) -> list[Any]:
        """The outputs of a cell."""
        client = self._started()
        client.nb.cells.append(nbformat.v4.new_code_cell(code))
        return list(client.execute_cell(client.nb.cells[-1], len(client.nb.cells) - 1).outputs)

    def enter(self, folder: Path) -> None:
        """Forgets all names and works in this folder."""
        self.run(f"import os\nos.chdir({str(folder)!r})")
        self.run("%reset -f")

    def stop(self) -> None:
        """Ends the kernel, if there is one."""
        if self.client is not None:
            self.client._cleanup_kernel()
            self.client = None


kernel = Kernel()


def fenced(info: str, text: str) -> str:
    """A block that no run of backticks in the text can end."""
    ticks = "`" * max(3, 1 + max((len(run) for run in text.split() if set(run) == {"`"}), default=0))
    return f"\n{ticks}{info}\n{text.rstrip()}\n{ticks}\n"


def shown(output: Any, page: str) -> str:
    """An output of a cell as Markdown; pictures are files beside the generated texts."""
    if output.output_type == "stream":
        return fenced("{code-block} text\n:class: output", output.text) if output.name == "stdout" else ""
    data = output.get("data", {})
    for kind, ending in (("image/svg+xml", "svg"), ("image/png", "png")):
        if kind in data:
            content = data[kind].encode() if ending == "svg" else b64decode(data[kind])
            name = f"{page.replace('/', '-')}-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
            (GENERATED / "pictures").mkdir(parents=True, exist_ok=True)
            (GENERATED / "pictures" / name).write_bytes(content)
            return fenced(
                f"{{image}} /generated/pictures/{name}", ":alt: What these lines draw\n:class: output picture"
            )
    if "text/html" in data:
        return fenced("{raw} html", f'<div class="output table">{data["text/html"]}</div>')
    if "text/plain" in data:
        return fenced("{code-block} text\n:class: output", data["text/plain"])
    return ""


def with_outputs(text: str, page: str, folder: Path) -> str:
    """The page with the output of each example below it."""
    blocks = list(pages.blocks_of(text))
    if any(block.language == "python" and not block.file and not block.emulated for block in blocks):
        kernel.enter(folder)
    parts, end = [], 0
    for block in blocks:
        parts.append(text[end : block.span[0]])
        end = block.span[1]
        if block.file:
            (folder / block.file).write_text(block.text)
            language = {"csv": "text"}.get(block.language, block.language)  # Pygments has none for CSV
            caption = f"{{code-block}} {language}\n:caption: {block.file}"
            parts.append(fenced(caption, block.text))
        elif block.emulated:
            parts.append(fenced(block.language, block.text))
        elif block.language == "python":
            outputs = kernel.run(block.text)
            parts.append(fenced("python", block.text) + "".join(shown(output, page) for output in outputs))
        elif block.language == "console":
            for command in pages.commands_of(block):
                printed = pages.run(command, folder)
                lines = "\n".join(command.shown) if command.shown else printed
                parts.append(fenced("console", f"$ {command.line}\n{lines}"))
        else:
            parts.append(text[slice(*block.span)])
    return "".join([*parts, text[end:]])


def notebook_page(text: str, file: Path, page: str, runs: bool) -> str:
    """A notebook as Markdown; run from top to bottom if it `runs`."""
    notebook = nbformat.reads(text, as_version=4)
    if runs:
        resources = {"metadata": {"path": str(file.resolve().parent)}}
        NotebookClient(notebook, timeout=TIMEOUT_S, kernel_name="python3", resources=resources).execute()
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(f"\n{cell.source}\n")
        else:
            parts.append(fenced("python", cell.source) + "".join(shown(output, page) for output in cell.outputs))
    return "".join(parts)


def read(app: Any, page: str, source: list[str]) -> None:
    """Called by Sphinx with the text of a page."""
    try:
        file = Path(app.env.doc2path(page))
        if file.suffix == ".ipynb":
            source[0] = notebook_page(source[0], file, page, app.config.run_notebooks)
        elif list(pages.blocks_of(source[0])):
            with tempfile.TemporaryDirectory() as folder:
                pages.prepare(Path(folder))
                source[0] = with_outputs(source[0], page, Path(folder))
    except (RuntimeError, CellExecutionError) as error:
        kernel.stop()
        raise ExtensionError(COLOURS.sub("", f"{page}: {error}")) from error


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_config_value("run_notebooks", True, "env")  # -D run_notebooks=0 leaves them without outputs
    app.connect("source-read", read)
    app.connect("build-finished", lambda *event: kernel.stop())
    return {"parallel_read_safe": False, "parallel_write_safe": True}
