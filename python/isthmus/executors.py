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
from .batches import Batch, run_batch
from .needs import need

Outcome = Tuple[Batch, List[str], Optional[Error]]
MOST_DEATHS = 2


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
                    error: Optional[Error] = None
                    died = answer is None
                    if answer is None:
                        selector.unregister(key.fileobj)
                        running.remove(worker)
                        worker.end()
                        if batch is None:
                            raise Refused("a worker of the sweep ended before it had work; its complaint stands above")
                        error = Refused(f"the worker that had {batch.source}, {batch.points[0][0]}, {batch.points[0][1]} B "
                                        f"ended with status {worker.process.returncode}")
                    elif "error" in answer:
                        error = ERRORS[answer["error"]](answer["message"])
                    assert batch is not None
                    if error is None and answer is not None:
                        yield batch, answer["records"], None
                    elif error is not None:
                        final = again(batch, queue, error, died)
                        if final is not None:
                            yield batch, [], final
        finally:
            for worker in running:
                worker.process.terminate()
            for worker in running:
                worker.end()


def on_dask(batches: List[Batch], platforms: Dict[str, str], client: Any) -> Iterator[Outcome]:
    """A dask.distributed.Client; its workers need isthmus too."""
    distributed = need("distributed", "a sweep on Dask")
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
