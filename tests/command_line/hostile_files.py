"""Runs the program `isthmus` on damaged files of every kind and checks its answers.

An answer is exit status 0 to 3 within the time and the memory allowed; with 0 nothing but warnings on the standard
error, else one line beside them; nothing that a terminal would obey. The inputs depend on the seed alone:

  ISTHMUS=build/bin/isthmus SOURCE=. python3 tests/command_line/hostile_files.py [--files N] [--seed S] [--first I]

prints each wrong answer with the number of its input, and keeps that input in the folder hostile-findings.
"""

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TIMEOUT_S = 60
MEMORY_BYTES = 4 << 30
LONGEST_LINE = 2000
ODD_NUMBERS = [
    "0",
    "-0",
    "-1",
    "1",
    "1.5",
    "1e308",
    "1e309",
    "-1e308",
    "1e-320",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "-9223372036854775808",
    "4611686018427387904",
    "2147483648",
    "nan",
    "inf",
    "0x10",
    "1e",
    "",
    "99999999999999999999999999999999999999",
    "0.1.2",
    "1_000",
    "٣",
]
ODD_WORDS = [
    "",
    " ",
    "a" * 100000,
    "\x1b]0;title\x07\x1b[2J",
    "\x00",
    "\x9b31m",
    "‮gpj.exe",
    "../../../etc/passwd",
    "/dev/zero",
    "/dev/stdin",
    "/",
    "%s%s%n",
    "$(reboot)",
    "'; drop table records; --",
    "é" * 40,
    "\ud83d",
    "null",
    "true",
    "{}",
    "[]",
    "*",
]
TEXTS = [
    "broadcast/binomial",
    "allreduce",
    "alltoall/linear",
    "broadcast/kielmann:segment=64Ki,wan-degree=3,lan-degree=4",
    "reduce/multilevel:levels=linear/binomial,merged=2",
    "gather/eco:segment=1Ki,patterns=linear/k-ary-3/binomial",
    "gather/binomial",
    "allgather/mpi:selector=ompi",
    "barrier",
    "scan/all",
]
SIZES = ["1,64Ki,1Mi", "1..64Ki", "100k"]


def experiment_on(source):
    return (
        '{"name": "spoilt", "title": "a file that was good", "platforms": ["%s"], '
        '"algorithms": ["broadcast/binomial:segment=1Ki", "broadcast/kielmann", '
        '"allreduce/ring", "barrier/dissemination"], "sizes": "8,1..4Ki", "sources": ["plogp", "replay"], '
        '"ranks": [2, 4], "placement": "cyclic", "root": 1, '
        '"tolerances": [{"source": "plogp", "against": "replay", "bytes": "8", "percent": 400}], '
        '"timeline": {"algorithm": "broadcast/binomial:segment=64", "bytes": "1Ki"}}' % source
    )


class Corpus:
    """The files to damage: kind -> (name of the file, good texts, the command that reads it)."""

    def __init__(self, source, isthmus):
        platforms = source / "platforms"
        das = str(platforms / "kielmann2000/das-4x1.xml")
        corpus = source / "tests/fuzz/corpus"

        def texts(kind, pattern="*"):
            return [file.read_bytes() for file in sorted((corpus / kind).glob(pattern))]

        predict = ["predict", das, "broadcast/multilevel", "--bytes", "64", "--model", "replay"]
        xml, networks = texts("platform"), texts("network")
        make = ["platform", "--from-table"]
        latencies, rates = str(corpus / "wide_area/square.csv"), str(corpus / "wide_area/rates.csv")
        pair = (
            b'{"from":0,"to":1,"latency":[0.01,0],'
            b'"sizes":[{"bytes":0,"gap":[1e-5,0],"send_overhead":[1e-6,0],"receive_overhead":[1e-6,0]}]}\n'
        )
        self.kinds = {
            "platform": ("p.xml", xml, lambda file: ["platform", file]),
            "predicted platform": ("p.xml", xml, lambda file: ["predict", file, "allreduce/ring", "--bytes", "1Ki"]),
            "network": ("n.json", networks, lambda file: ["platform", file]),
            "explained network": ("n.json", networks, lambda file: ["explain", file, "allgather", "--bytes", "1Ki"]),
            "bounded network": ("n.json", networks, lambda file: ["bound", file, "alltoall", "--bytes", "1Ki"]),
            "emulated network": ("n.json", networks, lambda file: ["platform", file, "--emulation"]),
            "latencies": ("l.csv", texts("wide_area", "square.csv"), lambda file: [*make, file, rates]),
            "rates": ("r.csv", texts("wide_area", "rates.csv"), lambda file: [*make, latencies, file]),
            "sites": (
                "s.csv",
                texts("wide_area", "sites.csv"),
                lambda file: [*make, latencies, rates, "--sites", file],
            ),
            "graph": ("g.graphml", texts("wide_area", "*.graphml"), lambda file: ["platform", "--graphml", file]),
            "topology": ("t.json", texts("topology"), lambda file: [*predict, "--topology", file]),
            "placement": (
                "hosts",
                [b"c0-0\nc1-0\n# a comment\n\nc2-0\n"],
                lambda file: [*predict, "--placement", file],
            ),
            "conditions": (
                "c.json",
                texts("conditions"),
                lambda file: ["simulate", *predict[1:5], "--conditions", file],
            ),
            "experiment": (
                "e.json",
                [experiment_on(das).encode()],
                lambda file: ["validate", file, "--store", "s.sqlite"],
            ),
            "measured pairs": ("m.jsonl", [pair], lambda file: ["calibrate", das, "--from", file]),
            "plan": (None, [text.encode() for text in TEXTS], lambda text: ["predict", das, text, "--bytes", "64"]),
            "sizes": (
                None,
                [text.encode() for text in SIZES],
                lambda text: ["predict", das, "broadcast/all", "--bytes", text],
            ),
        }


class Spoiler:
    """Damages a text in one of many ways, one to four times."""

    def __init__(self, chance, others):
        self.chance, self.others = chance, others
        self.ways = [
            self.flip,
            self.cut,
            self.leave_out,
            self.repeat,
            self.odd_number,
            self.odd_word,
            self.control,
            self.nest,
            self.splice,
            self.replace_whole,
        ]

    def spoilt(self, text):
        for _ in range(self.chance.choice([1, 1, 1, 2, 4])):
            text = self.chance.choice(self.ways)(text)
        return text

    def place(self, text):
        return self.chance.randrange(len(text) + 1)

    def stretch(self, text):
        begin = self.place(text)
        return begin, min(len(text), begin + self.chance.choice([1, 5, 40, 300]))

    def one_of(self, text, pattern, replacement):
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        at = self.chance.choice(found)
        return text[: at.start()] + replacement + text[at.end() :]

    def flip(self, text):
        at = self.place(text)
        return text[:at] + bytes([self.chance.randrange(256)]) + text[at + 1 :]

    def cut(self, text):
        return text[: self.place(text)]

    def leave_out(self, text):
        begin, end = self.stretch(text)
        return text[:begin] + text[end:]

    def repeat(self, text):
        begin, end = self.stretch(text)
        return text[:end] + text[begin:end] * self.chance.choice([1, 2, 1000]) + text[end:]

    def odd_number(self, text):
        return self.one_of(text, rb"-?\d+(\.\d+)?(e-?\d+)?", self.chance.choice(ODD_NUMBERS).encode())

    def odd_word(self, text):
        return self.one_of(
            text, rb"(?<=\")[^\"\n]*(?=\")|[a-z]+", self.chance.choice(ODD_WORDS).encode("utf-8", "surrogatepass")
        )

    def control(self, text):
        at = self.place(text)
        return (
            text[:at]
            + self.chance.choice([b"\x1b[31m", b"\x00", b"\xff", b"\x7f", b"\r", b"\xc2\x9b", b"\xef\xbb\xbf"])
            + text[at:]
        )

    def nest(self, text):
        at = self.place(text)
        return (
            text[:at] + self.chance.choice([b"[", b'{"a":', b'<zone id="z" routing="Full">', b'"']) * 100000 + text[at:]
        )

    def splice(self, text):
        other = self.chance.choice(self.others)
        begin, end = self.stretch(other)
        at = self.place(text)
        return text[:at] + other[begin:end] + text[at:]

    def replace_whole(self, _):
        return self.chance.choice(
            [
                b"",
                b"\n",
                b"null",
                b"[]",
                b"{}",
                b"\xff\xfe{\x00}\x00",
                bytes(self.chance.randbytes(500)),
                self.chance.choice(self.others),
            ]
        )


class Hostility:
    def __init__(self, isthmus, source, seed):
        self.isthmus, self.seed = isthmus, seed
        self.kinds = Corpus(Path(source).resolve(), isthmus).kinds
        self.others = [text for _, texts, _ in self.kinds.values() for text in texts]

    def input(self, number):
        """(kind, name of its file or None, content, command)."""
        chance = random.Random(f"{self.seed}-{number}")
        kind = sorted(self.kinds)[number % len(self.kinds)]
        name, texts, command = self.kinds[kind]
        return kind, name, Spoiler(chance, self.others).spoilt(chance.choice(texts)), command

    def ask(self, number, folder):
        """Runs the command on input `number`; returns what is wrong with the answer, or None."""
        kind, name, content, command = self.input(number)
        if name is None:
            # A command line cannot contain this input.
            argument = os.fsdecode(content.replace(b"\0", b"")[:100000])
        else:
            (folder / name).write_bytes(content)
            argument = name
        return judged(f"input {number}, {kind}", [self.isthmus, *command(argument)], folder)


def limit():
    if os.environ.get("ISTHMUS_SANITIZE") != "1":  # which maps terabytes
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judged(what, command, folder):
    """What is wrong with the answer to a command, or None."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            preexec_fn=limit,
            env={**os.environ, "TMPDIR": str(folder)},
        )
    except subprocess.TimeoutExpired:
        return f"{what}: no answer within {TIMEOUT_S} s"
    complaints = [
        line
        for line in done.stderr.split(b"\n")[:-1]
        if not line.startswith((b"isthmus: warning: ", b"isthmus: note: "))
    ]
    said = b" | ".join(complaints)[:300].decode("utf-8", "backslashreplace")
    if done.returncode not in (0, 1, 2, 3):
        return f"{what}: exit status {done.returncode}: {said}"
    # An experiment says how far it is, and a verdict of 1 comes with a table.
    complaints = [line for line in complaints if not re.match(rb"\[\d+/\d+\] |\d+ of \d+ points", line)]
    if len(complaints) != (0 if done.returncode == 0 else 1):
        return f"{what}: exit status {done.returncode} with {len(complaints)} lines: {said}"
    if any(len(line) > LONGEST_LINE for line in done.stderr.split(b"\n")):
        return f"{what}: a line of more than {LONGEST_LINE} bytes: {said}"
    if b"unexpected failure" in done.stderr:
        return f"{what}: {said}"
    if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", done.stdout + done.stderr):
        return f"{what}: a control character in the answer: {said}"
    return None


def throw(isthmus, source, seed, first, files, keep=None):
    """Runs this number of inputs; returns the errors, one line each."""
    hostility = Hostility(isthmus, source, seed)
    wrong = []
    for number in range(first, first + files):
        with tempfile.TemporaryDirectory() as folder:
            fault = hostility.ask(number, Path(folder))
        if fault is None:
            continue
        wrong.append(fault)
        if keep is not None:
            kind, name, content, _ = hostility.input(number)
            keep.mkdir(exist_ok=True)
            (keep / f"{number}-{name or kind}").write_bytes(content)
            print(fault, flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    wrong = throw(
        os.path.abspath(os.environ["ISTHMUS"]),
        os.environ["SOURCE"],
        options.seed,
        options.first,
        options.files,
        Path("hostile-findings"),
    )
    print(f"{options.files} inputs, {len(wrong)} wrong answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
