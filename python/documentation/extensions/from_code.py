"""What the code says of itself, as Markdown in `generated/`: help texts, algorithms, closed forms, file formats."""

import re
import subprocess
from pathlib import Path

from pages import SOURCE

import isthmus
from isthmus.programs import program

GENERATED = Path(__file__).parents[1] / "generated"


def comment_at_top(file: str) -> str:
    """The comment that a file begins with."""
    lines = []
    for line in (SOURCE / file).read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return "\n".join(lines)


def document(header: str, before: str) -> str:
    """The /// comment before a declaration that begins with the given text."""
    text = (SOURCE / header).read_text()
    found = re.search(r"((?:^ *///.*\n)+) *" + re.escape(before), text, re.M)
    if not found:
        raise RuntimeError(f"{header}: no comment before `{before}`")
    return "\n".join(re.sub(r"^ */// ?", "", line) for line in found[1].splitlines())


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def shown(*words: str) -> str:
    """What the program prints."""
    return subprocess.run([program(), *words], capture_output=True, text=True, check=True).stdout


def command_line() -> str:
    """The help of every command."""
    whole = shown("--help")
    commands = re.findall(r"^  ([a-z]+) {2,}", whole.partition("Subcommands:")[2], re.M)
    return f"```text\n{whole.strip()}\n```\n" + "\n".join(
        f"## isthmus {command}\n```text\n{shown(command, '--help').strip()}\n```\n" for command in commands
    )


def algorithms() -> str:
    """A table for each collective."""
    parts = []
    for collective in isthmus.collectives():
        rows = [
            [f"`{one.id}`", one.summary, " ".join(f"`{name}`" for name in one.parameters), one.paper]
            for one in collective
        ]
        parts.append(f"## {collective.name}\n" + table(["algorithm", "what it does", "parameters", "paper"], rows))
    return "\n".join(parts)


SYMBOLS = {
    "alpha": r"\alpha",
    "beta": r"\beta",
    "gamma": r"\gamma",
    "max": r"\max",
    "log2": r"\log_2",
    "steps": r"\text{steps}\;",
    "os": "o_s",
    "or": "o_r",
}
BRACKETS = {"ceil": (r"\lceil ", r" \rceil"), "floor": (r"\lfloor ", r" \rfloor")}


def latex(formula: str) -> str:
    """A formula of a comment in LaTeX."""
    parts: list[str] = []
    closing: list[str] = []
    for token in re.findall(r"[A-Za-z_]\w*\(?|\d+|\(|\)|\S", formula):
        word = token.removesuffix("(")
        if word in BRACKETS and token != word:
            parts.append(BRACKETS[word][0])
            closing.append(BRACKETS[word][1])
        elif token == ")":
            parts.append(closing.pop())
        else:
            parts.append(SYMBOLS.get(word, word))
            if token.endswith("("):
                parts.append("(")
                closing.append(")")
    return " ".join(parts)


def mathematics(text: str) -> str:
    """A comment in Markdown: what stands between backquotes is a formula."""
    return re.sub(r"`([^`]+)`", lambda found: f"${latex(found[1])}$", " ".join(text.split()))


def closed_form(lines: list[str]) -> str:
    """The rows of one algorithm: what it is, then a formula for each model with its remark."""
    head, rows = [], []
    for line in lines:
        found = re.match(r"  (Hockney|LogGP|P-LogP) +(.*)", line)
        if found:
            rows.append([found[1], found[2]])
        elif rows:
            rows[-1][1] += " " + line.strip()
        else:
            head.append(line.strip())
    parts = [mathematics(" ".join(head))]
    for model, text in rows:
        formula, _, remark = " ".join(text.split()).rstrip(".").partition(". ")
        between = re.match(r"from (.*) to (.*)", formula)
        least_and_most = [latex(part) for part in (between.groups() if between else [formula])]
        parts.append(f"$$\\text{{{model}}}\\quad T = " + r"\quad\text{to}\quad ".join(least_and_most) + "$$")
        if remark:
            parts.append(mathematics(remark) + ".")
    return "\n\n".join(parts) + "\n"


def closed_forms() -> str:
    """The comments of the rows of tables 1 to 4, one section a collective."""
    parts = []
    for file, title in (
        ("barrier", "Barrier"),
        ("broadcast", "Broadcast"),
        ("reduce", "Reduce"),
        ("alltoall_scatter", "Alltoall and scatter"),
    ):
        name = f"algorithms/models/{file}_forms.cpp"
        parts.append(f"## {title}\n{mathematics(comment_at_top(name))}\n")
        parts += [
            f"**`{collective}/{algorithm}`.** "
            + closed_form([re.sub("^    // ?", "", one) for one in rows.splitlines()])
            for rows, collective, algorithm in re.findall(
                r"((?:^    //.*\n)+)    \{Collective::(\w+), \"([\w-]+)\"", (SOURCE / name).read_text(), re.M
            )
        ]
    return "\n".join(parts)


def fields(comment: str) -> str:
    """The table of an experiment's keys: `name`, type, what it is; lines with more blanks go on."""
    rows: list[list[str]] = []
    for line in comment.splitlines():
        found = re.match(r"  (\w+) {1,}(text|number|object|\[\w+\]) +(.*)", line)
        if found:
            rows.append([f"`{found[1]}`", found[2], found[3]])
        elif rows and line.startswith("   "):
            rows[-1][2] += " " + line.strip()
    return table(["key", "type", "meaning"], rows)


def record() -> str:
    """The fields of a record, with the comments of its members."""
    text = (SOURCE / "validation/records/record.hpp").read_text()
    inside = text.partition("struct Record {")[2].partition("\n};")[0]
    types = {"int": "integer", "std::int64_t": "integer", "double": "number", "Source": "text", "std::string": "text"}
    keys = {"network_digest": "network"}
    plain = {  # what needs no comment in the code
        "source": "where the seconds come from: below",
        "ranks": "how many",
        "root": "rank of the root; 0 where a collective has none",
        "repetitions": "how often it was timed",
        "element_bytes": "size of an element",
    }
    rows = []
    for kind, name, comment in re.findall(r"^  ([\w:<>]+) (\w+)(?: = [^;]*)?;(?:  +///< (.*))?$", inside, re.M):
        if name == "extra":
            continue
        bare = re.sub(r"std::optional<(.*)>", r"\1", kind)
        rows.append([f"`{keys.get(name, name)}`", types.get(bare, "object"), comment or plain.get(name, "")])
    return table(["field", "type", "meaning"], rows)


def buffers() -> str:
    """What lies in a rank's buffers, by collective."""
    comment = document("algorithms/collective/problem.hpp", "struct Problem")
    rows = [re.split(r"  +", line.strip()) for line in comment.splitlines() if re.match(r"  \w", line)]
    return table(
        rows[0], [[row[0], *(re.sub(r"(size) \* (n)", r"\1 × \2", cell) for cell in row[1:])] for row in rows[1:]]
    )


def generate() -> None:
    """Writes all files, those that change."""
    GENERATED.mkdir(exist_ok=True)
    for name, text in {
        "command_line.md": command_line(),
        "algorithms.md": algorithms(),
        "closed_forms.md": closed_forms(),
        "experiment.md": fields(comment_at_top("validation/harness/experiment.hpp")),
        "record.md": record(),
        "buffers.md": buffers(),
    }.items():
        file = GENERATED / name
        if not file.is_file() or file.read_text() != text:
            file.write_text(text)
