"""Runs one measurement in a process of its own: the right interpreter, its cores, and a limit."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from methods import Method

HERE = Path(__file__).parent
HOMES = {
    "relbounds": Path(sys.executable),
    "fri": HERE.parent / ".bench" / "fri" / "bin" / "python",
    "rivals": HERE.parent / ".bench" / "rivals" / "bin" / "python",
}
"""The interpreters; `make bench` sets them up."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def measure(
    method: Method, data: Path, settings: dict[str, Any], *, repeats: int, limit: float
) -> dict[str, Any]:
    """The report of a method, with its ``status``: ok, timeout, or the error's name."""
    with tempfile.TemporaryDirectory() as folder:
        task, report = Path(folder) / "task.json", Path(folder) / "report.json"
        content = {
            "module": method.module,
            "packages": method.packages,
            "cores": method.cores,
            "settings": method.options | settings,
            "repeats": repeats,
            "data": str(data),
            "report": str(report),
        }
        task.write_text(json.dumps(content))
        status = _run([str(HOMES[method.home]), str(HERE / "measure.py"), str(task)], limit)
        return {"status": status} | (json.loads(report.read_text()) if status == "ok" else {})


def _run(command: list[str], limit: float) -> str:
    environment = os.environ | dict.fromkeys(THREADS, "1")
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "timeout"
    return "ok" if process.returncode == 0 else _name_of_error(errors, process.returncode)


def _name_of_error(errors: str, code: int) -> str:
    """The last line of a traceback up to its colon; the rest may speak of this machine."""
    lines = errors.strip().splitlines()
    if code < 0 or not lines:
        return f"killed by {signal.Signals(-code).name}" if code < 0 else "failed"
    return lines[-1].split(":")[0].split(".")[-1][:60]
