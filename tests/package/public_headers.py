"""Checks the list of installed headers: exactly those that isthmus.hpp includes, directly or not.

Usage: public_headers.py SOURCE_FOLDER [--write]. Exit status 1 when cmake/public_headers.txt is another list.
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def reached(source: Path) -> list[str]:
    found = set()
    ahead = ["algorithms/isthmus.hpp"]
    while ahead:
        header = ahead.pop()
        if header not in found:
            found.add(header)
            ahead += INCLUDE.findall((source / header).read_text())
    return sorted(found)


def main() -> int:
    source = Path(sys.argv[1])
    listed = source / "cmake/public_headers.txt"
    headers = reached(source)
    if sys.argv[2:] == ["--write"]:
        listed.write_text("\n".join(headers) + "\n")
        return 0
    known = listed.read_text().split()
    for header in sorted(set(headers) ^ set(known)):
        wrong = "included by isthmus.hpp and not installed" if header in headers else "installed and not needed"
        print(f"{header}: {wrong}")
    if headers != known:
        print("tests/package/public_headers.py . --write makes the list anew")
    return headers != known


if __name__ == "__main__":
    sys.exit(main())
