"""Settings that are wrong end the job at MPI_Init with exit status 2 and a line that says why.

Usage: wrong_settings.py --mpirun MPIRUN --drop-in LIBRARY [--preload LIBRARY] [--set NAME=VALUE] -- PROGRAM
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
NETWORK = (HERE / "two_sites.json").read_text()
TABLE = (HERE / "two_sites_table.json").read_text()
DEEP = "[" * 100000 + "]" * 100000
CHANNELS = (HERE / "channels.cfg").read_text()
ON_NETWORK = ["ISTHMUS_NETWORK=network.json"]
IN_CHANNELS = ["ISTHMUS_CHANNELS=channels.cfg"]

# What is set, files that there are, what has to be said.
CASES = [
    (["ISTHMUS_BROADCAST=kielman"], {}, "ISTHMUS_BROADCAST: .*did you mean `kielmann`"),
    (["ISTHMUS_BROADCAST=linear:degree=3"], {}, "ISTHMUS_BROADCAST: .*degree"),
    (["ISTHMUS_BROADCAST=kielmann:segment=-1"], {}, "ISTHMUS_BROADCAST: .*-1"),
    (["ISTHMUS_BROADCAST=mpi:selector=tuned"], {}, "ISTHMUS_BROADCAST: .*`mpi` is right"),
    (["ISTHMUS_BRODCAST=linear"], {}, "ISTHMUS_BRODCAST is no setting; did you mean ISTHMUS_BROADCAST"),
    (["ISTHMUS_BCAST=linear"], {}, "ISTHMUS_BCAST is no setting; did you mean ISTHMUS_BROADCAST"),
    (["ISTHMUS_MPI_REDUCE=mpi"], {}, "ISTHMUS_MPI_REDUCE is no setting; did you mean ISTHMUS_REDUCE"),
    (["ISTHMUS_EFFORT=-1"], {}, "ISTHMUS_EFFORT: "),
    (["ISTHMUS_EFFORT=99999999999Gi"], {}, "ISTHMUS_EFFORT: "),
    (["ISTHMUS_CHECK=soon"], {}, "ISTHMUS_CHECK: .soon.; seconds, such as 10, would be right"),
    (["ISTHMUS_CHECK=-1"], {}, "ISTHMUS_CHECK: .-1.; seconds, such as 10, would be right"),
    (["ISTHMUS_START_SECONDS=soon"], {}, "ISTHMUS_START_SECONDS: .soon.; seconds, such as 10, would be right"),
    (["ISTHMUS_REORDER=yes"], {}, "ISTHMUS_REORDER: .yes.; ranks or coordinates or no would be right"),
    (["ISTHMUS_NEIGHBOURS=linear"], {}, "ISTHMUS_NEIGHBOURS: .linear.; chosen or mpi or direct or aggregated would be"),
    (["ISTHMUS_DISCOVER=yes"], {}, "ISTHMUS_DISCOVER: .yes.; 0 or 1 or rounds would be right"),
    (["ISTHMUS_DISCOVER_SECONDS=soon"], {}, "ISTHMUS_DISCOVER_SECONDS: .soon.; seconds, such as 10, would be right"),
    (
        [*ON_NETWORK, "ISTHMUS_DISCOVER=1"],
        {"network.json": NETWORK},
        "ISTHMUS_DISCOVER and ISTHMUS_NETWORK: a network is given or discovered",
    ),
    (["ISTHMUS_TAG_LIMIT=many"], {}, "ISTHMUS_TAG_LIMIT: "),
    (["ISTHMUS_TAG_LIMIT=1022"], {}, "ISTHMUS_TAG_LIMIT: 1022 is too low; 1023 or more is right"),
    (["ISTHMUS_SITE_PATTERN=(["], {}, "ISTHMUS_SITE_PATTERN: .*regular expression with a group"),
    (["ISTHMUS_REPORT=absent/report"], {}, "ISTHMUS_REPORT: absent/report cannot be written"),
    (["ISTHMUS_LOG=absent/log"], {}, "ISTHMUS_LOG: absent/log cannot be written"),
    (["ISTHMUS_NETWORK=absent.json"], {}, "absent.json: "),
    (ON_NETWORK, {"network.json": "{"}, "network.json"),
    (
        ON_NETWORK,
        {"network.json": "<platform/>"},
        "a network JSON, as `isthmus platform PLATFORM --format json` writes",
    ),
    (["ISTHMUS_NETWORK=/tmp"], {}, "/tmp: cannot be read: Is a directory"),
    (["ISTHMUS_NETWORK=/dev/zero"], {}, "/dev/zero: cannot be read: it is a device"),
    (ON_NETWORK, {"network.json": DEEP}, "network.json:1: JSON of more than 100 levels"),
    (
        ON_NETWORK,
        {"network.json": '{"settings": {"log": ' + DEEP + "}}"},
        "network.json:1: JSON of more than 100 levels",
    ),
    (ON_NETWORK, {"network.json": NETWORK.replace('"log"', '"lag"')}, "network.json:[0-9]+: /settings/lag: is unknown"),
    (ON_NETWORK, {"network.json": NETWORK.replace('"ring"', '"rang"')}, "ISTHMUS_ALLREDUCE: "),
    (ON_NETWORK, {"network.json": NETWORK.replace("site0-0", "site9-0")}, "no host is called site0-0"),
    (["ISTHMUS_CHANNELS=absent.cfg"], {}, "ISTHMUS_CHANNELS: absent.cfg: cannot be read"),
    (
        IN_CHANNELS,
        {"channels.cfg": CHANNELS.replace("net   : sci_net", "net   : sky_net")},
        "ISTHMUS_CHANNELS: .*sky_net",
    ),
    (
        IN_CHANNELS,
        {"channels.cfg": CHANNELS.replace("site0-0", "site9-0")},
        "ISTHMUS_CHANNELS: no channel has host site0-0, where rank 0 runs; a channel with all hosts of ranks would be",
    ),
    (["ISTHMUS_TABLE=absent.json"], {}, "absent.json: cannot be read"),
    (["ISTHMUS_TABLE=/dev/zero"], {}, "/dev/zero: cannot be read"),
    (["ISTHMUS_TABLE=table.json"], {"table.json": DEEP}, "table.json:1: JSON of more than 100 levels"),
    (["ISTHMUS_TABLE=table.json"], {"table.json": "[]"}, "table.json:1: is \\[\\]; an object would be right"),
    (["ISTHMUS_TABLE=table.json"], {"table.json": TABLE}, "table.json: the decision table is for another topology"),
]


def refused(case: tuple[list[str], dict[str, str], str]) -> bool:
    settings, files, words = case
    own, program = sys.argv[1:-2], sys.argv[-1]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text)
        asked = [word for setting in settings for word in ("--set", setting)]
        # Each mpirun with its own folder for temporary files: one of Open MPI's removes the other's.
        run = subprocess.run(
            [sys.executable, HERE / "run.py", *own, "--sites", "1,1", *asked, "--exit", "2",
             "--says", f"isthmus: .*{words}", "--", program],
            cwd=folder, env=os.environ | {"TMPDIR": folder}, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
    if run.returncode != 0:
        print(" ".join(settings), run.stdout, run.stderr, sep="\n")
    return run.returncode == 0


def main() -> int:
    with concurrent.futures.ThreadPoolExecutor(4) as several:  # an MPI that ends a job waits, most of the time
        right = sum(several.map(refused, CASES))
    print(f"{len(CASES)} wrong settings, {len(CASES) - right} not refused as they should be")
    return 0 if right == len(CASES) else 1


if __name__ == "__main__":
    sys.exit(main())
