#!/usr/bin/python3
"""The overhead of Python: importing the package, a replay against the same one in C++, and large sweeps.

Usage: PYTHONPATH=build/python tests/benchmarks/python_benchmark.py build/benchmarks/replay_benchmark [sweeps]
The two replays alternate, each in a separate process; the medians are compared. With `sweeps`: 10,000 replay
points and 500 points of SMPI, all of 64 ranks, by two workers; beside the time on the wall the processors' time, which
says what the wall would show on two processors that nobody else uses, and the load: how many others
waited for a processor.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASE = "Kielmann/das-4x16/4Mi/segment=4Ki"
PLATFORM = Path(__file__).absolute().parents[2] / "platforms/kielmann2000/das-4x16.xml"
TURNS = 9
REPLAY = """
import isthmus, sys, time
platform = isthmus.Platform(sys.argv[1])
schedule = platform.schedule("broadcast/kielmann:segment=4Ki,wan-degree=3,lan-degree=4", "4Mi")
times = []
for _ in range(60):
    begin = time.perf_counter()
    schedule.replay()
    times.append(time.perf_counter() - begin)
print(sorted(times)[len(times) // 2])
"""
IMPORT = "import time; begin = time.perf_counter(); import isthmus; print(time.perf_counter() - begin)"


def python(*words):
    return float(subprocess.run([sys.executable, "-c", *words], check=True, capture_output=True, text=True).stdout)


def without_frames(file):
    """The platform as the benchmark in C++ has it: messages cross links as a whole, without acknowledgements."""
    text = PLATFORM.read_text()
    for name, value in (("frame_bytes", "0"), ("acknowledgement_bytes", "0")):
        text = re.sub(rf'\s*<prop id="isthmus.{name}".*?/>', "", text)
        text = re.sub(r'(<zone id="das-4x16".*?>)', rf'\1<prop id="isthmus.{name}" value="{value}"/>', text, count=1)
    file.write_text(text)
    return file


def native(benchmark):
    words = [benchmark, f"--benchmark_filter=^{CASE}$", "--benchmark_format=json", "--benchmark_min_time=0.5"]
    (result,) = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    return result["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[result["time_unit"]]


def sweep(source, step, count):
    import isthmus

    def spent_s():
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    begin, spent = time.perf_counter(), spent_s()
    plans = [
        algorithm.name + (":segment=none" if "segment" in algorithm.parameters else "")
        for algorithm in isthmus.collective("broadcast")
    ]
    frame = isthmus.sweep(
        PLATFORM,
        "broadcast",
        plans,
        bytes=[*range(1, 1 << 20, step)][:count],
        sources=source,
        workers=2,
        progress=False,
    )
    took_s, spent = time.perf_counter() - begin, spent_s() - spent
    print(
        f"sweep of {len(frame)} points, {source}, {frame.ranks[0]} ranks: {took_s:.1f} s on the wall, "
        f"{spent:.1f} s of processors, load {os.getloadavg()[0]:.0f}"
    )


def main():
    if sys.argv[2:] == ["sweeps"]:
        sweep("replay", 1150, 909)
        sweep("smpi", 22310, 46)
        return
    imports = [python(IMPORT) for _ in range(TURNS)]
    with tempfile.TemporaryDirectory() as folder:
        platform = without_frames(Path(folder) / PLATFORM.name)
        pairs = [(native(sys.argv[1]), python(REPLAY, platform)) for _ in range(TURNS)]
    there, here = (statistics.median(column) for column in zip(*pairs))
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"import isthmus: {1e3 * statistics.median(imports):.0f} ms")
    print(
        f"{CASE}: C++ {1e3 * there:.2f} ms, Python {1e3 * here:.2f} ms, {100 * (ratio - 1):+.1f} % "
        f"(median of {TURNS} turns)"
    )


if __name__ == "__main__":
    main()
