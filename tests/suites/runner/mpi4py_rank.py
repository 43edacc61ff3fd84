"""One rank of a job of mpi4py's tests: writes into a file of its own what it starts and how each ended.

Usage: mpi4py_rank.py TESTS_FOLDER RESULTS_FOLDER --list | TEST ...
A test that fails ends the job: messages of it may be under way still.
"""

import sys
import unittest
from collections.abc import Iterator
from pathlib import Path


def tests_in(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from tests_in(each)
        elif isinstance(each, unittest.TestCase):
            yield each


def main() -> None:
    folder, results, *names = sys.argv[1:]
    sys.path.insert(0, folder)
    from mpi4py import MPI

    out = (Path(results) / str(MPI.COMM_WORLD.Get_rank())).open("w", buffering=1)
    loader = unittest.TestLoader()
    if names == ["--list"]:
        for module in sorted(Path(folder).glob("test_*.py")):
            for test in tests_in(loader.loadTestsFromName(module.stem)):
                out.write(f"test\t{test.id()}\n")
        return
    for test in tests_in(loader.loadTestsFromNames(names)):
        out.write(f"start\t{test.id()}\n")
        result = unittest.TestResult()
        unittest.TestSuite([test]).run(result)
        if result.errors or result.failures:
            lines = [line.strip() for line in (result.errors + result.failures)[0][1].splitlines() if line.strip()]
            out.write(f"fail\t{test.id()}\t{' / '.join(lines[-3:])}\n")
            MPI.COMM_WORLD.Abort(1)
        out.write(f"{'skip' if result.skipped else 'pass'}\t{test.id()}\n")


if __name__ == "__main__":
    main()
