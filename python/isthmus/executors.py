"""Who runs the batches of a sweep: processes of this machine, or Dask's workers.

An executor is an iterator over (batch, answers), see batches.Answer. The batch of a worker that died is run again,
point by point and after all others, before it counts as an error.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ._core import BadInput, Refused
from .arguments import wrong_type
from .batches import Answer, Batch, failed, run_batch
from .needs import need
from .sources import MODELS

Outcome = tuple[Batch, list[Answer]]
MAX_DEATHS = 4  # of workers that ran the same single point
MAX_IN_VAIN = 6  # workers in a row that never became ready


def after_death(batch: Batch, queue: deque[Batch], why: str) -> list[Answer] | None:
    """Queues the batch of a dead worker again, last, since it may kill the next worker too. A batch of several points
    is split first. A single point that has killed MAX_DEATHS workers is answered by an error."""
    if len(batch.points) > 1:
        queue.extend(batch.split())
        return None
    batch.deaths += 1
    if batch.deaths < MAX_DEATHS:
        queue.append(batch)
        return None
    return [failed(Refused(f"{why}, as did {MAX_DEATHS - 1} before it"))]


class _Worker:
    def __init__(self, temporary: str) -> None:
        package = str(Path(__file__).absolute().parent.parent)
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "isthmus.worker", str(os.getpid())],  # no import from the current folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "TMPDIR": temporary},
            text=True,
            encoding="utf-8",
        )
        self.knows: set[str] = set()
        self.is_ready = False
        self.batch: Batch | None = None
        self.deadline: float | None = None

    def send(self, batch: Batch, platforms: dict[str, str]) -> None:
        message: dict[str, Any] = {"batch": batch.data()}
        if batch.platform not in self.knows:
            message["platforms"] = {batch.platform: platforms[batch.platform]}
            self.knows.add(batch.platform)
        self.batch = batch
        # Simulation and emulation have their own time limit, and may wait for the machine first.
        self.deadline = (
            time.monotonic() + batch.settings["timeout_s"] * len(batch.points) if batch.source in MODELS else None
        )
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # answer() finds that the worker has died

    def answer(self) -> dict[str, Any] | None:
        """The worker's answer; None if it has died."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        try:
            return dict(json.loads(line)) if line.endswith("\n") else None
        except ValueError:
            return None

    def is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(4)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass


def on_processes(batches: list[Batch], platforms: dict[str, str], workers: int) -> Iterator[Outcome]:
    """Worker processes on this machine. They end when this process ends, even if it is killed. Their temporary files
    lie in one folder, which is deleted after them: a worker that is stopped deletes nothing itself."""
    queue = deque(batches)
    running: list[_Worker] = []
    in_vain = 0
    with (
        tempfile.TemporaryDirectory(prefix="isthmus-", ignore_cleanup_errors=True) as temporary,
        selectors.DefaultSelector() as selector,
    ):

        def bury(worker: _Worker) -> Batch | None:
            selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
            running.remove(worker)
            worker.end()
            batch, worker.batch = worker.batch, None
            return batch

        try:
            while queue or any(worker.batch for worker in running):
                while queue and len(running) < workers and in_vain <= MAX_IN_VAIN + workers:
                    worker = _Worker(temporary)
                    running.append(worker)
                    selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
                if not running:
                    for batch in queue:
                        yield batch, [
                            failed(Refused("workers end before they are ready; their complaints stand above"))
                            for _ in batch.points
                        ]
                    return
                for worker in running:
                    if worker.is_ready and worker.batch is None and queue:
                        worker.send(queue.popleft(), platforms)
                for key, _ in selector.select(1):
                    worker = key.data
                    answer = worker.answer()
                    if answer is not None and not worker.is_ready:
                        worker.is_ready = True
                        in_vain = 0
                    elif answer is not None:
                        assert worker.batch is not None
                        done, worker.batch, worker.deadline = worker.batch, None, None
                        yield done, answer["answers"]
                    else:
                        in_vain += not worker.is_ready
                        had = bury(worker)
                        answers = had and after_death(
                            had, queue, f"the worker that had it ended with status {worker.process.returncode}"
                        )
                        if had and answers:
                            yield had, answers
                for worker in [worker for worker in running if worker.is_late()]:
                    late = bury(worker)
                    assert late is not None
                    if len(late.points) > 1:
                        queue.extend(late.split())
                    else:
                        yield late, [failed(Refused(f"took longer than {late.settings['timeout_s']:g} s (timeout_s)"))]
        finally:
            for worker in running:
                worker.process.terminate()
            for worker in running:
                worker.end()


def on_dask(batches: list[Batch], platforms: dict[str, str], where: Any) -> Iterator[Outcome]:
    """A dask.distributed.Client, or the address of a scheduler; the workers need isthmus too."""
    distributed = need("distributed", "executor: a sweep on Dask")
    try:
        client = distributed.Client(where) if isinstance(where, str) else where
    except ValueError as error:
        right = "the address of a scheduler, as 'tcp://node1:8786',"
        raise BadInput(f"executor: {where!r}: {error}; {right} would be right") from None
    except OSError as error:
        raise Refused(f"executor: {where!r}: {error}") from None
    if not isinstance(client, distributed.Client):
        raise wrong_type("executor", where, "None, a dask.distributed.Client or the address of a scheduler")
    shared = client.scatter(platforms, broadcast=True)
    queue = deque(batches)
    futures: dict[Any, Batch] = {}
    finished = distributed.as_completed([])

    def submit() -> None:
        while queue:
            batch = queue.popleft()
            future = client.submit(run_batch, shared[batch.platform], batch.data(), pure=False, retries=0)
            futures[future] = batch
            finished.add(future)

    try:
        submit()
        while futures:
            future = next(finished)
            batch = futures.pop(future)
            problem = future.exception()
            if problem is None:
                yield batch, list(future.result())
                continue
            answers = after_death(batch, queue, f"the worker that had it died ({type(problem).__name__}: {problem})")
            if answers:
                yield batch, answers
            submit()
    finally:
        client.cancel(list(futures))
        if client is not where:
            client.close()
