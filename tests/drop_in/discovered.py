"""ISTHMUS_DISCOVER finds the network between the hosts of a job at MPI_Init, and keeps it in a file for these hosts.

Usage: discovered.py --mpirun MPIRUN --drop-in LIBRARY [--preload LIBRARY] [--set NAME=VALUE] -- PROGRAM ARGUMENT...
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
HOSTS = ["site0-0", "site0-1", "site1-0"]


def said(*settings: str) -> str:
    split = sys.argv.index("--")
    own, program = sys.argv[1:split], sys.argv[split + 1 :]
    command = [sys.executable, str(HERE / "run.py"), *own, "--sites", "1+1,1"]
    for setting in ("ISTHMUS_DISCOVER=1", *settings):
        command += ["--set", setting]
    run = subprocess.run([*command, "--", *program], capture_output=True, text=True)
    print(run.stdout, run.stderr, sep="")
    assert run.returncode == 0, run.returncode
    return run.stdout


def hosts_in(file: pathlib.Path) -> list[str]:
    return sorted(host["name"] for host in json.loads(file.read_text())["hosts"])


def main() -> None:
    assert "not done within 1e-06 s" in said("ISTHMUS_DISCOVER_SECONDS=0.000001")
    with tempfile.TemporaryDirectory(prefix="isthmus-") as folder:
        cache = f"ISTHMUS_DISCOVER_CACHE={folder}"
        assert "discovered anew" not in said(cache)
        (file,) = pathlib.Path(folder).iterdir()
        assert hosts_in(file) == HOSTS, file.read_text()
        # The next job on these hosts does not measure: it has no time to.
        kept = file.read_text()
        assert "not done" not in said(cache, "ISTHMUS_DISCOVER_SECONDS=0.000001")
        assert file.read_text() == kept
        for wrong, words in (
            (kept.replace("site1-0", "site9-0"), "is of other hosts, without site1-0; the network is discovered anew"),
            (kept[: len(kept) // 2], "the network is discovered anew"),
            ("[]", "would be right; the network is discovered anew"),
        ):
            file.write_text(wrong)
            assert re.search(re.escape(str(file)) + ".*" + words, said(cache)), words
            assert hosts_in(file) == HOSTS
    assert "absent" in said("ISTHMUS_DISCOVER_CACHE=/absent/folder")


if __name__ == "__main__":
    main()
