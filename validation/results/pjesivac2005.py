#!/usr/bin/python3
"""Figures 2 to 7 of Pjesivac-Grbovic 2005, from the parameters of its table 5.

    validation/results/pjesivac2005.py [--program build/bin/isthmus] [--quick] [figure2 ... figure7]

Prints Markdown: times by the closed forms of Hockney, LogGP and P-LogP and by the replay, for barrier, reduce, alltoall
and the choice among broadcasts on the paper's clusters. The paper gives its measurements as figures only, so the
replay, which has queues and overheads, is the reference of the maps. --quick takes every fourth communicator size and
every other message size.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PLATFORMS = HERE.parent.parent / "platforms" / "pjesivac2005"
FORMS = ("hockney", "loggp", "plogp")
ALL = FORMS + ("replay",)
# The methods of section 6.3, a letter each; lower case without segments.
METHODS = {"l": "linear", "b": "binomial", "y": "binary", "s": "splitted-binary", "p": "chain"}
SEGMENTS = {"none": str.lower, "1Ki": str.upper, "8Ki": lambda letter: letter.upper() + "8"}


class Predictions:
    """Seconds by the program."""

    def __init__(self, program):
        self.program = program

    def ask(self, cluster, plan, ranks, sizes, segment="none", models=ALL):
        command = [
            self.program,
            "predict",
            str(PLATFORMS / f"{cluster}.xml"),
            plan,
            "--ranks",
            str(ranks),
            "--bytes",
            ",".join(map(str, sizes)),
            "--segment",
            segment,
            "--model",
            ",".join(models),
            "--format",
            "json",
        ]
        if not plan.startswith(("broadcast", "reduce")):
            del command[command.index("--segment") : command.index("--segment") + 2]
        answer = subprocess.run(command, capture_output=True, text=True)
        if answer.returncode != 0:
            sys.exit(f"{' '.join(command)}: {answer.stderr.strip()}")
        rows = {}
        for line in answer.stdout.splitlines():
            record = json.loads(line)
            rows[record["source"], record["bytes"]] = record["seconds"]
        return rows


def microseconds(seconds):
    return f"{seconds * 1e6:.1f}" if seconds < 1e-3 else f"{seconds * 1e6:.0f}"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("--:" for _ in head) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def figure2(ask, quick):
    print("### Figure 2: barriers on Boba, microseconds\n")
    for algorithm in ("dissemination", "recursive-doubling", "flat"):
        print(f"{algorithm}\n")
        rows = []
        for ranks in (2, 4, 8, 12, 16, 24, 32):
            found = ask("boba", f"barrier/{algorithm}", ranks, [0])
            rows.append([str(ranks)] + [microseconds(found[model, 0]) for model in ALL])
        table(["ranks", *ALL], rows)


def figure3(ask, quick):
    print("### Figure 3: reduce on Boba, microseconds\n")
    sizes = [1024, 16384, 262144] if quick else [256, 1024, 4096, 16384, 65536, 262144, 1048576]
    for algorithm in ("binomial", "chain"):
        for ranks in (8, 24):
            for segment in ("none", "1Ki"):
                print(f"{algorithm}, {ranks} nodes, segments {segment}\n")
                found = ask("boba", f"reduce/{algorithm}", ranks, sizes, segment)
                table(
                    ["bytes", *ALL],
                    [[str(size)] + [microseconds(found[model, size]) for model in ALL] for size in sizes],
                )


def figure4(ask, quick):
    print("### Figure 4: does segmentation pay in the binomial reduce? (time with 1 KB segments / without, 8 nodes)\n")
    sizes = [2048, 16384, 131072, 1048576]
    rows = []
    for cluster in ("boba", "frodo"):
        whole, cut = (ask(cluster, "reduce/binomial", 8, sizes, segment) for segment in ("none", "1Ki"))
        rows += [
            [cluster, str(size)] + [f"{cut[model, size] / whole[model, size]:.2f}" for model in ALL] for size in sizes
        ]
    table(["cluster", "bytes", *ALL], rows)


def figure5(ask, quick):
    print("### Figure 5: pairwise exchange on Boba, microseconds; bytes of the whole send buffer\n")
    rows = []
    for ranks in (2, 4, 8, 16, 24):
        blocks = [max(1, total // ranks) for total in (1024, 16384, 262144, 1048576)]
        found = ask("boba", "alltoall/pairwise", ranks, blocks)
        rows += [
            [str(ranks), str(block * ranks)] + [microseconds(found[model, block]) for model in ALL] for block in blocks
        ]
    table(["ranks", "bytes", *ALL], rows)


def maps(ask, quick, draw_choice, draw_penalty):
    all_ranks = range(3, 33, 4) if quick else range(3, 33)
    sizes = [1 << power for power in range(0, 24, 4 if quick else 2)] + [8 << 20]
    times = {}
    for ranks in all_ranks:
        for letter, algorithm in METHODS.items():
            for segment, mark in SEGMENTS.items():
                wanted = [size for size in sizes if segment == "none" or size > int(segment[0]) * 1024]
                if not wanted:
                    continue
                found = ask("frodo", f"broadcast/{algorithm}", ranks, wanted, segment)
                for (model, size), seconds in found.items():
                    times.setdefault((model, ranks, size), {})[mark(letter)] = seconds
    choice = {point: min(candidates, key=candidates.get) for point, candidates in times.items()}
    if draw_choice:
        print("### Figure 6: the best broadcast on Frodo\n")
        print(
            "Letters: l linear, b binomial, y binary, s splitted-binary, p pipeline; lower case whole messages, upper "
            "case\nsegments of 1 KB, with 8 of 8 KB.\n"
        )
        for model in ALL:
            print(f"{model}\n")
            table(
                ["ranks", *map(str, sizes)],
                [[str(ranks)] + [choice[model, ranks, size] for size in sizes] for ranks in all_ranks],
            )
    if draw_penalty:
        print("### Figure 7: what a model's choice costs, % over the best by replay\n")
        summary = []
        for model in FORMS:
            losses = {}
            for ranks in all_ranks:
                for size in sizes:
                    replayed = times["replay", ranks, size]
                    losses[ranks, size] = 100 * (replayed[choice[model, ranks, size]] / min(replayed.values()) - 1)
            ordered = sorted(losses.values())
            worst = max(losses, key=losses.get)
            summary.append(
                [
                    model,
                    f"{ordered[len(ordered) // 2]:.0f}",
                    f"{ordered[int(len(ordered) * .95)]:.0f}",
                    f"{losses[worst]:.0f}",
                    f"{worst[0]} ranks, {worst[1]} B",
                ]
            )
            print(f"{model}\n")
            table(
                ["ranks", *map(str, sizes)],
                [[str(ranks)] + [f"{losses[ranks, size]:.0f}" for size in sizes] for ranks in all_ranks],
            )
        table(["model", "median %", "95th percentile %", "worst %", "where"], summary)


FIGURES = {"figure2": figure2, "figure3": figure3, "figure4": figure4, "figure5": figure5}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="figure2 ... figure7; all when left out")
    parser.add_argument("--program", default=str(HERE.parent.parent / "build/bin/isthmus"))
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    names = [*FIGURES, "figure6", "figure7"]
    for figure in arguments.figures:
        if figure not in names:
            parser.error(f"there is no {figure}; {', '.join(names)} are")
    wanted = arguments.figures or names
    ask = Predictions(arguments.program).ask
    for figure, draw in FIGURES.items():
        if figure in wanted:
            draw(ask, arguments.quick)
    if "figure6" in wanted or "figure7" in wanted:
        maps(ask, arguments.quick, "figure6" in wanted, "figure7" in wanted)


if __name__ == "__main__":
    main()
