"""The build backend of `pip install .` (PEP 517): CMake builds and installs, this packs the wheel.

With ISTHMUS_BUILD=FOLDER in the environment a finished build is packed as it is; else build-pip/ is built first.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).absolute().parent.parent


def _project() -> dict[str, str]:
    import tomllib

    with open(SOURCE / "pyproject.toml", "rb") as file:
        return dict(tomllib.load(file)["project"])


def _tag() -> str:
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _run(*words: str) -> None:
    print("+", *words, flush=True)
    try:
        subprocess.run(words, check=True, cwd=SOURCE)
    except FileNotFoundError:
        sys.exit(f"isthmus: {words[0]} is not installed; scripts/setup brings what a build needs")
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"isthmus: `{' '.join(words)}` ended with status {error.returncode}; "
            "scripts/setup brings what a build needs"
        )


def _installed(folder: Path) -> None:
    """The whole of isthmus in a folder, the Python package in its folder python/isthmus."""
    build = os.environ.get("ISTHMUS_BUILD")
    if not build:
        build = str(SOURCE / "build-pip")
        _run(
            "cmake",
            "-S",
            str(SOURCE),
            "-B",
            build,
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DBUILD_TESTING=OFF",
            "-DISTHMUS_PYTHON=ON",
            f"-DPython3_EXECUTABLE={sys.executable}",
            "--log-level=WARNING",
        )
        _run("cmake", "--build", build)
    _run("cmake", "--install", build, "--prefix", str(folder), "--strip")


def _members(folder: Path) -> list[tuple[Path, str]]:
    """Files of the wheel: the package, and in it the programs with the helpers that they look for."""
    (package,) = folder.glob("lib*/**/dist-packages/isthmus")
    members = [
        (file, f"isthmus/{file.relative_to(package).as_posix()}") for file in package.rglob("*") if file.is_file()
    ]
    libraries = [
        file for file in (folder / package.relative_to(folder).parts[0]).rglob("*.so*") if package not in file.parents
    ]
    for file in [*(folder / "bin").rglob("*"), *(folder / "libexec").rglob("*"), *libraries]:
        if file.is_file():
            members.append((file, f"isthmus/{file.relative_to(folder).as_posix()}"))
    return sorted(members, key=lambda member: member[1])


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    project = _project()
    name = f"{project['name']}-{project['version']}"
    information = f"{name}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        _installed(Path(folder))
        wheel = f"{name}-{_tag()}.whl"
        record = []
        with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:

            def add(path: str, data: bytes, mode: int = 0o644) -> None:
                entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
                entry.external_attr = (0o100000 | mode) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
                record.append(f"{path},{_digest(data)},{len(data)}")

            for file, path in _members(Path(folder)):
                add(path, file.read_bytes(), file.stat().st_mode & 0o777)
            add(
                f"{information}/METADATA",
                f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
                f"Summary: {project['description']}\nRequires-Python: >=3.11\nLicense: BSD-3-Clause\n".encode(),
            )
            add(
                f"{information}/WHEEL",
                f"Wheel-Version: 1.0\nGenerator: isthmus\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode(),
            )
            add(f"{information}/entry_points.txt", b"[console_scripts]\nisthmus = isthmus.programs:main\n")
            add(f"{information}/LICENSE", (SOURCE / "LICENSE").read_bytes())
            lines = "\n".join([*record, f"{information}/RECORD,,", ""])
            archive.writestr(f"{information}/RECORD", lines)
    return wheel


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    project = _project()
    name = f"{project['name']}-{project['version']}"
    files = (
        subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True)
        .stdout.decode()
        .split("\0")
    )
    with tempfile.TemporaryDirectory() as folder:
        for file in filter(None, files):
            target = Path(folder) / name / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / file, target)
        shutil.make_archive(str(Path(sdist_directory) / name), "gztar", folder, name)
    return f"{name}.tar.gz"
