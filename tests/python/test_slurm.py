"""Sweeps as a Slurm array: the tasks one after the other, and by a Slurm of this machine."""

import getpass
import os
import re
import shutil
import socket
import subprocess
import time
import warnings

import pytest
from test_sweep import SIMULATED, rows

import isthmus


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """The rows of the sweep, made without Slurm."""
    file = tmp_path_factory.mktemp("simulated") / "store.sqlite"
    isthmus.sweep(**SIMULATED, store=file)
    return rows(file)


def test_a_slurm_array_gives_the_same_rows(simulated, tmp_path):
    folder = tmp_path / "array"
    arguments = {key: value for key, value in SIMULATED.items() if key != "progress"}
    script = isthmus.slurm_array(folder, tasks=3, options=["--time=0:10:00", "--partition=long"], **arguments)
    text = open(script).read()
    directives = dict(re.findall(r"^#SBATCH --([a-z-]+)=(.*)$", text, re.M))
    assert directives == {
        "job-name": "isthmus",
        "array": "0-2",
        "ntasks": "1",
        "output": f"{folder}/task-%a.log",
        "time": "0:10:00",
        "partition": "long",
    }
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    (tmp_path / "json.py").write_text("raise RuntimeError('not the one of Python')")
    for task in (0, 1, 2, 1):
        environment["SLURM_ARRAY_TASK_ID"] = str(task)
        subprocess.run(["bash", script], env=environment, check=True, cwd=tmp_path)
    file = tmp_path / "store.sqlite"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isthmus.collect(folder, file) == len(simulated)
    assert rows(file) == simulated
    with pytest.raises(isthmus.BadInput, match="store: holds every point already"):
        isthmus.slurm_array(folder, store=file, **arguments)
    with pytest.raises(isthmus.BadInput, match="options: '--time=1; rm -rf"):
        isthmus.slurm_array(folder, options=["--time=1; rm -rf /"], **arguments)


def test_a_folder_keeps_its_question_and_what_is_missing_is_told(das, tmp_path):
    ask = {"collectives": "broadcast", "algorithms": "binomial"}
    script = isthmus.slurm_array(tmp_path / "array", das, bytes="8,1Ki", **ask)
    assert isthmus.slurm_array(tmp_path / "array", das, bytes="1Ki", **ask) == script
    with pytest.raises(isthmus.BadInput, match="array holds the job array of another question; another folder"):
        isthmus.slurm_array(tmp_path / "array", das, bytes="64Ki", **ask)
    with pytest.warns(
        isthmus.IsthmusWarning,
        match="1 of 1 points have no record; the first: das-4x4, broadcast/binomial, 1 KiB, replay",
    ) as caught:
        assert isthmus.collect(tmp_path / "array", tmp_path / "all.sqlite") == 0
    before = isthmus.Store(tmp_path / "array/task-0.sqlite")
    isthmus.sweep(das, bytes="8,1Ki", **ask, store=before, progress=False, workers=1)
    assert isthmus.collect(tmp_path / "array", tmp_path / "all.sqlite") == 1
    assert caught[0].message.kind == "missing_points" and caught[0].filename == __file__
    for option in ("--array=0-3", "--arr=7"):
        with pytest.raises(isthmus.BadInput, match=f"options: '{option}'; `tasks` is the length of the array"):
            isthmus.slurm_array(tmp_path / "other", das, bytes=8, options=[option], **ask)


SLURM_CONF = """
ClusterName=isthmus
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port}
SlurmdPort={port_of_node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/node.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=long Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """A Slurm of this machine alone, for the test alone."""
    if not all(map(shutil.which, ("sbatch", "slurmctld", "slurmd"))):
        pytest.skip("no Slurm here; `apt install slurm-wlm` brings it")
    folder = tmp_path / "slurm"
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    (folder / "slurm.conf").write_text(
        SLURM_CONF.format(
            host=socket.gethostname().partition(".")[0],
            user=getpass.getuser(),
            port=free_port(),
            port_of_node=free_port(),
            folder=folder,
        )
    )
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    daemons = []
    try:
        for name in ("slurmctld", "slurmd"):
            with open(folder / f"{name}.log", "w") as log:
                daemons.append(subprocess.Popen([name, "-D"], stdout=log, stderr=log))
        deadline = time.monotonic() + 60
        while "idle" not in subprocess.run(["sinfo", "--noheader"], capture_output=True, text=True).stdout:
            if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in daemons):
                pytest.fail("Slurm is installed and does not start: " + (folder / "slurmd.log").read_text()[-300:])
            time.sleep(0.3)
        yield folder
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()


@pytest.mark.slow
def test_slurm_itself_runs_the_array(simulated, tmp_path, slurm):
    arguments = {key: value for key, value in SIMULATED.items() if key != "progress"}
    script = isthmus.slurm_array(tmp_path / "array", tasks=4, options=["--partition=long"], **arguments)
    subprocess.run(["sbatch", "--wait", script], check=True, timeout=120, cwd=tmp_path)
    file = tmp_path / "store.sqlite"
    isthmus.collect(tmp_path / "array", file)
    assert rows(file) == simulated
