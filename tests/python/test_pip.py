"""`pip install .` from the finished build: the package works from any folder, without the repository."""

import os
import subprocess
import sys

import pytest
from conftest import SOURCE

pytestmark = pytest.mark.pip


def test_pip_installs_a_package_that_works_without_the_repository(tmp_path):
    venv = tmp_path / "venv"
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "ISTHMUS")}
    environment.update(PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1", TMPDIR=str(tmp_path))

    def run(*words, **options):
        done = subprocess.run(
            list(map(str, words)), env=environment, cwd=tmp_path, text=True, capture_output=True, timeout=250, **options
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", "--system-site-packages", venv)
    run(venv / "bin/python", "-m", "pip", "install", SOURCE)
    platform = tmp_path / "das.xml"
    platform.write_text((SOURCE / "platforms/kielmann2000/das-4x1.xml").read_text())
    code = (
        "import isthmus; print(isthmus.__file__)\n"
        f"platform = isthmus.Platform({str(platform)!r})\n"
        "print(platform.simulate('broadcast/magpie', 1).seconds[0] > 0.01)\n"
        f"print(len(isthmus.sweep(platform, 'barrier', 'all', progress=False, sources=['replay', 'smpi'])))"
    )
    file, positive, count = run(venv / "bin/python", "-c", code).split()
    # Errors of wrong arguments are made from the types in _core.pyi, which has to be installed too.
    wrong = "import isthmus\ntry:\n    isthmus.Network.from_json(3)\nexcept TypeError as error:\n    print(error)"
    assert run(venv / "bin/python", "-c", wrong) == "text: 3 is int; a text would be right\n"
    assert file.startswith(str(venv)) and positive == "True" and int(count) >= 10
    assert "das" in run(venv / "bin/isthmus", "platform", platform)
