"""Makes a root file system from this machine's files, with all that given programs need to start."""

import os
import re
import shutil
import subprocess
from pathlib import Path

LIBRARIES = "/usr/lib/x86_64-linux-gnu"
OPEN_MPI = (
    "/usr/bin/mpirun",
    "/usr/bin/orted",
    f"{LIBRARIES}/openmpi",
    f"{LIBRARIES}/pmix2",
    "/usr/share/openmpi",
    "/usr/share/pmix",
    "/etc/openmpi",
    f"{LIBRARIES}/libpmix.so.2",
    "/usr/lib/libpmix.so.2",
)


def put(root, file):
    """Links the file if possible, else copies it; a symbolic link's target is put under the same name too."""
    target = Path(str(root) + os.path.abspath(file))
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(os.path.realpath(file), target)
    except OSError:
        shutil.copy2(os.path.realpath(file), target)


def needed_by(file):
    listed = subprocess.run(["ldd", file], capture_output=True, text=True).stdout
    return set(re.findall(r"(/\S+)", listed))


def make(root, *things):
    """`things` are programs, libraries and folders, with all the libraries that they need."""
    files = []
    for thing in things:
        if os.path.isdir(thing):
            files += [str(file) for file in Path(thing).rglob("*") if file.is_file()]
        elif os.path.exists(thing):
            files.append(thing)
    for file in files:
        put(root, file)
        if os.access(file, os.X_OK) or ".so" in file:
            for library in needed_by(file):
                put(root, library)
