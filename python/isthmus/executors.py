"""Who runs the batches of a sweep: processes of this machine, or Dask's workers.

An executor is an iterator over (batch, records, error): records as JSON texts, or the error that there is in their
place. A batch whose worker died is tried again, point by point, before it counts as an error.
"""

import json
import os
import selectors
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Any, Deque, Dict, Iterator, List, Optional, Set, Tuple

from ._core import Error, Refused
from .arguments import wrong_type
from .batches import Batch, run_batch
from .needs import need

Outcome = Tuple[Batch, List[str], Optional[Error]]
MOST_DEATHS = 3  # of workers that had the same single point
MOST_IN_VAIN = 6  # workers in a row that never answered


def again(batch: Batch, queue: "Deque[Batch]", error: Error, died: bool) -> Optional[Error]:
    """Puts what may still succeed back in front; the error when there is nothing more to try."""
    if died:
        batch.deaths += 1
    if len(batch.points) > 1:
        queue.extendleft(reversed(batch.split()))
        return None
    if died and batch.deaths < MOST_DEATHS:
        queue.appendleft(batch)
        return None
    return error


class _Worker:
    def __init__(self) -> None:
        package = str(Path(__file__).absolute().parent.parent)
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "isthmus.worker", str(os.getpid())], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path}, text=True, encoding="utf-8")
        self.knows: Set[str] = set()
        self.batch: Optional[Batch] = None

    def send(self, batch: Batch, platforms: Dict[str, str]) -> None:
        message: Dict[str, Any] = {"batch": batch.data()}
        if batch.platform not in self.knows:
            message["platforms"] = {batch.platform: platforms[batch.platform]}
            self.knows.add(batch.platform)
        self.batch = batch
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its end is seen where its answer is awaited

    def answer(self) -> Optional[Dict[str, Any]]:
        """None when it died."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        try:
            return dict(json.loads(line)) if line.endswith("\n") else None
        except ValueError:
            return None

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


def on_processes(batches: List[Batch], platforms: Dict[str, str], workers: int) -> Iterator[Outcome]:
    """Worker processes of this machine. They end with this one, however that may be."""
    from .worker import ERRORS

    queue = deque(batches)
    running: List[_Worker] = []
    in_vain = 0
    with selectors.DefaultSelector() as selector:
        try:
            while queue or any(worker.batch for worker in running):
                while queue and len(running) < workers:
                    worker = _Worker()
                    running.append(worker)
                    selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
                for worker in running:
                    if worker.batch is None and queue:
                        worker.send(queue.popleft(), platforms)
                for key, _ in selector.select():
                    worker = key.data
                    batch, worker.batch = worker.batch, None
                    answer = worker.answer()
                    if answer is None:
                        selector.unregister(key.fileobj)
                        running.remove(worker)
                        worker.end()
                        in_vain += 1
                        if in_vain > MOST_IN_VAIN + workers:
                            raise Refused("the workers of the sweep end before they answer; their complaints stand above")
                        if batch is not None:
                            what = f"{batch.source}, {batch.points[0][0]}, {batch.points[0][1]} B"
                            error: Error = Refused(f"the worker that had {what} ended with status {worker.process.returncode}")
                            if again(batch, queue, error, died=True):
                                yield batch, [], error
                        continue
                    in_vain = 0
                    assert batch is not None
                    if "error" not in answer:
                        yield batch, answer["records"], None
                        continue
                    error = ERRORS[answer["error"]](answer["message"])
                    if again(batch, queue, error, died=False):
                        yield batch, [], error
        finally:
            for worker in running:
                worker.process.terminate()
            for worker in running:
                worker.end()


def on_dask(batches: List[Batch], platforms: Dict[str, str], where: Any) -> Iterator[Outcome]:
    """A dask.distributed.Client, or the address of a scheduler; the workers need isthmus too."""
    distributed = need("distributed", "executor: a sweep on Dask")
    client = distributed.Client(where) if isinstance(where, str) else where
    if not isinstance(client, distributed.Client):
        raise wrong_type("executor", where, "None, a dask.distributed.Client or the address of a scheduler")
    shared = client.scatter(platforms, broadcast=True)
    queue = deque(batches)
    futures: Dict[Any, Batch] = {}
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
                yield batch, list(future.result()), None
                continue
            error = problem if isinstance(problem, Error) else Refused(f"{type(problem).__name__}: {problem}")
            final = again(batch, queue, error, not isinstance(problem, Error))
            if final is not None:
                yield batch, [], final
            submit()
    finally:
        client.cancel(list(futures))
        if client is not where:
            client.close()
