"""Figure 3: how does the time of a fit grow with samples and with features?

Whole fits, everything tuned, 50 probes, explicit order: ours and those of fri 9.0.0, the authors'
package, with one worker and with two. Each fit runs in a process and on cores of its own, by the
same program as the benchmarks (``benchmarks/measure.py``); fri has an environment of its own, as
there (``make .bench/ready``). fri is measured as far as it is expected to take at most ``LIMIT``
seconds.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import cpu_count
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from sklearn.preprocessing import StandardScaler

from experiments import pages
from experiments.pieces import Piece, Row
from relbounds.datasets import make_ordinal
from relbounds.exceptions import RelboundsError
from relbounds.metrics import selection_scores

NAME = "figure3"
TITLE = "Figure 3: run time"
NEEDS_DATA = False
JOBS = 1

SIZES = {
    "samples": (10, 30, 100, 300, 1_000, 3_000, 10_000),
    "features": (10, 20, 50, 100, 200, 500),
}
QUICK_SIZES = {"samples": (10, 100, 1_000), "features": (10, 50)}
USUAL = {"samples": 500, "features": 20}
"""What the paper keeps while the other number grows."""
REPEATS, QUICK_REPEATS = 3, 1
LIMIT, QUICK_LIMIT = 120.0, 10.0
PATIENCE = 10
"""A fit that takes so many times the limit is given up."""
SEED = 0
OURS, FRI = "relbounds", "fri"
CHECKOUT = Path(__file__).parent.parent
MEASURE = CHECKOUT / "benchmarks" / "measure.py"
HOMES = {OURS: Path(sys.executable), FRI: CHECKOUT / ".bench" / "fri" / "bin" / "python"}
OPTIONS: dict[str, dict[str, Any]] = {OURS: {"engine": "auto"}, FRI: {}}
LOOKS = {OURS: {"color": "#0b6e4f", "marker": "o"}, FRI: {"color": "#c0392b", "marker": "s"}}
STYLES = {1: "-", 2: "--"}


def pieces(quick: bool) -> list[Piece]:
    """A curve each, so that fri's last points say whether the next is worth waiting for."""
    settings = {
        "limit": QUICK_LIMIT if quick else LIMIT,
        "repeats": QUICK_REPEATS if quick else REPEATS,
    }
    return [
        Piece(
            f"{method} {axis} {workers} workers",
            curve,
            {"method": method, "axis": axis, "sizes": sizes, "workers": workers, **settings},
        )
        for method in HOMES
        if HOMES[method].exists()
        for axis, sizes in (QUICK_SIZES if quick else SIZES).items()
        for workers in STYLES
        if workers <= cpu_count() and not (quick and method == FRI and workers > 1)
    ]


def curve(
    *, method: str, axis: str, sizes: Sequence[int], workers: int, limit: float, repeats: int
) -> list[Row]:
    """A row for each size; beyond the limit only what is expected."""
    rows: list[Row] = []
    for size in sizes:
        expected = expected_seconds(rows, size)
        row = {"method": method, "axis": axis, "workers": workers, "size": size}
        if expected > limit and method != OURS:
            rows.append({**row, "status": "left out", "expected": expected})
            break
        found = measured(method, drawn(axis, size), workers, repeats, PATIENCE * limit)
        if method == OURS and found["status"] != "ok":
            raise RelboundsError(f"A fit with {size} {axis} failed: {found['status']}.")
        rows.append({**row, "expected": expected, **found})
    return rows


def expected_seconds(rows: Sequence[Row], size: int) -> float:
    """On the straight line, in logarithms, through the last two sizes; at least linear growth."""
    known = [(row["size"], row["seconds"]) for row in rows if row["status"] == "ok"][-2:]
    if not known:
        return 0.0
    sizes, seconds = np.log(known).T
    power = max(1.0, np.diff(seconds)[0] / np.diff(sizes)[0]) if len(known) > 1 else 1.0
    return float(np.exp(seconds[-1] + power * (np.log(size) - sizes[-1])))


def drawn(axis: str, size: int) -> dict[str, np.ndarray]:
    """Five strong features, five that replace one another, the rest idle; noise everywhere."""
    shape = USUAL | {axis: size}
    X, y, truth = make_ordinal(
        shape["samples"],
        n_strong=5,
        weak_groups=(5,),
        n_irrelevant=shape["features"] - 10,
        noise=0.5,
        random_state=SEED,
    )
    return {"X": StandardScaler().fit_transform(X), "y": y, "truth": truth}


def measured(
    method: str, data: dict[str, np.ndarray], workers: int, repeats: int, patience: float
) -> Row:
    """The fastest of several fits in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        task, report = Path(folder) / "task.json", Path(folder) / "report.json"
        np.savez(Path(folder) / "data.npz", **data)
        content = {
            "module": method,
            "packages": (method,),
            "cores": workers,
            "settings": {"n_probes": 50, "n_jobs": workers, **OPTIONS[method]},
            "repeats": repeats,
            "data": str(Path(folder) / "data.npz"),
            "report": str(report),
        }
        task.write_text(json.dumps(content))
        status = _run([str(HOMES[method]), str(MEASURE), str(task)], patience)
        if status != "ok":
            return {"status": status}
        found = json.loads(report.read_text())
    return {
        "status": "ok",
        **{name: found[name] for name in ("seconds", "repeats", "core_share")},
        "f1": selection_scores(data["truth"], found["selected"]).f1,
        "version": found["versions"][method],
    }


def _run(command: list[str], patience: float) -> str:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=patience,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "given up"
    if done.returncode == 0:
        return "ok"
    return (done.stderr.strip().splitlines() or ["failed"])[-1].split(":")[0]


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    tables = {axis: _table(rows, axis) for axis in SIZES}
    for axis, table in tables.items():
        pages.write_csv(table, out / f"{axis}.csv")
    picture(rows).savefig(out / "figure3.png", dpi=150)
    parts = [
        _introduction(rows, quick),
        "![Seconds a fit against samples and against features](figure3.png)",
        *(
            f"## {axis.capitalize()} ({_fixed(axis)})\n\n{pages.markdown_of(table)}"
            for axis, table in tables.items()
        ),
        _growth(rows),
    ]
    pages.write_page(
        out / "figure3.md", TITLE, parts, rows, seeds=str(SEED), packages=("matplotlib",)
    )


def _fixed(axis: str) -> str:
    other = next(each for each in USUAL if each != axis)
    return f"{USUAL[other]} {other}"


def _table(rows: pd.DataFrame, axis: str) -> pd.DataFrame:
    """Seconds of each size, how many times faster than fri, and how right both are."""
    shown = rows[rows["axis"] == axis]
    table = shown.pivot_table(index="size", columns=["method", "workers"], values="seconds")
    columns = [(method, workers) for method in HOMES for workers in STYLES]
    table = table.reindex(
        columns=pd.MultiIndex.from_tuples(columns), index=sorted(set(shown["size"]))
    )
    ratio = table[FRI, 1] / table[OURS, 1]
    table.columns = [f"{method}, {_workers(number)}" for method, number in columns]
    table["fri / relbounds"] = ratio
    found = shown[shown["workers"] == 1].pivot_table(index="size", columns="method", values="f1")
    for method in HOMES:
        table[f"F1, {method}"] = found.get(method, np.nan)
    return table.reset_index(names=axis)


def _introduction(rows: pd.DataFrame, quick: bool) -> str:
    return (
        "Seconds of a whole fit: C tuned by cross-validation, 50 probes, explicit order, five "
        "classes; five strong features, five that replace one another, the rest idle, noise of "
        f"0.5. The fastest of up to {QUICK_REPEATS if quick else REPEATS} runs in a process of its "
        f"own, on a machine with {os.cpu_count()} cores. {_about_cores(rows)} Our workers are "
        f"threads, fri's are processes. F1 is that of the selection. {_about_fri(rows)}"
    )


def _about_fri(rows: pd.DataFrame) -> str:
    fri = rows[rows["method"] == FRI]
    if fri.empty:
        return (
            "The columns of fri, the authors' package, are empty: its environment is not there. "
            "`make .bench/ready` sets it up."
        )
    out = fri[fri["status"] == "left out"]
    failed = fri[~fri["status"].isin(["ok", "left out"])]
    left_out = [
        f"{line['size']} {line['axis']} with {_workers(line['workers'])} ({line['expected']:.0f} s)"
        for _, line in out.iterrows()
    ]
    told = [f"{line['status']} at {line['size']} {line['axis']}" for _, line in failed.iterrows()]
    return (
        f"fri {fri['version'].dropna().max()} tries 10 values of C on three folds, relbounds 17 on "
        "five. fri is measured up to "
        "where the line through its last two points says that a fit takes too long; left out "
        f"from there on: {', '.join(left_out) or 'nothing'}."
        + (f" It fails elsewhere: {', '.join(dict.fromkeys(told))}." if told else "")
    )


def _workers(number: int) -> str:
    return "one worker" if number == 1 else f"{number} workers"


def _about_cores(rows: pd.DataFrame) -> str:
    """Whether others were computing too."""
    share = rows.loc[rows["workers"] == 1, "core_share"].min()
    return f"A fit with one worker had at least {100 * share:.0f} % of its core."


def _growth(rows: pd.DataFrame) -> str:
    lines = [
        [f"{method}, {axis}", pages.number(power(rows, method, axis))]
        for axis in SIZES
        for method in HOMES
        if (rows["method"] == method).any()
    ]
    return (
        "## How it grows\n\nThe power of size that time grows with, between the last two sizes "
        "measured (one worker). The paper's bound for its own programs is n^3 + (3d + c) n^2.5.\n\n"
        f"{pages.markdown(['', 'power'], lines)}"
    )


def power(rows: pd.DataFrame, method: str, axis: str) -> float:
    """The slope of the last piece of a curve, in logarithms."""
    chosen = rows[(rows["method"] == method) & (rows["axis"] == axis) & (rows["workers"] == 1)]
    last = chosen[chosen["seconds"].notna()].sort_values("size")[-2:]
    if len(last) < 2:
        return np.nan
    return float(np.diff(np.log(last["seconds"]))[0] / np.diff(np.log(last["size"]))[0])


def picture(rows: pd.DataFrame) -> Figure:
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for panel, axis, letter in zip(panels, SIZES, "ab", strict=True):
        shown = rows[(rows["axis"] == axis) & rows["seconds"].notna()].sort_values("size")
        panel.set(xscale="log", yscale="log", xlabel=f"{axis} ({_fixed(axis)})")
        _draw(panel, shown)
        sizes = sorted(set(shown["size"]))
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_title(f"({letter})", loc="left", fontsize="medium")
    panels[0].set_ylabel("seconds a fit")
    panels[0].legend(frameon=False, fontsize="small")
    return figure


def _draw(panel: Axes, rows: pd.DataFrame) -> None:
    for (method, workers), line in rows.groupby(["method", "workers"], sort=False):
        label = f"{method}, {_workers(workers)}"
        panel.plot(line["size"], line["seconds"], STYLES[workers], label=label, **LOOKS[method])
