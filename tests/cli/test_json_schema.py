"""Documents of the command keep the schema beside the docs, and it describes all that they hold."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator
from messy_tables import as_text, patients, saved
from sklearn.datasets import load_iris

from relbounds.cli.main import main

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "json.schema.json").read_text(encoding="utf-8")
)


def twins() -> pd.DataFrame:
    frame = patients()
    noise = 0.01 * np.random.RandomState(1).normal(size=len(frame))
    return frame.assign(twin=(frame["dose"] + noise).round(3))


def flowers() -> pd.DataFrame:
    data = load_iris(as_frame=True)
    names = {0: "setosa", 1: "versicolor", 2: "virginica"}
    return data.frame.assign(outcome=data.frame.pop("target").map(names))


def noise() -> pd.DataFrame:
    random = np.random.RandomState(0)
    return pd.DataFrame({"a": random.normal(size=40), "outcome": random.permutation([0, 1] * 20)})


def grades() -> pd.DataFrame:
    frame = patients(90)
    return frame.assign(outcome=np.digitize(frame["dose"], [-0.5, 0.5]))


CASES = {
    "two classes": (patients, ()),
    "all that can be asked": (twins, ("--without", "height", "--without", "dose", "--stand-ins")),
    "three classes without order": (flowers, ()),
    "ordered classes": (grades, ("--selection", "fdr")),
    "a number": (lambda: patients().assign(outcome=patients()["height"] + 0.5), ()),
    "nothing to learn": (noise, ()),
    "privileged columns": (patients, ("--privileged", "height", "--slack", "mixed")),
    "groups": (lambda: patients().assign(ward=np.arange(60) // 3), ("--group", "ward")),
}


@pytest.fixture(scope="module", params=CASES)
def document(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    table, options = CASES[request.param]
    folder = tmp_path_factory.mktemp("schema")
    path = saved(folder / "table.csv", as_text(table()))
    always = ["--target", "outcome", "--format", "json", "--jobs", "1", "--out", str(folder)]
    assert main(["analyze", str(path), *always, *options]) == 0
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_document_keeps_the_schema(document: Any) -> None:
    errors = [
        f"{error.json_path}: {error.message}"
        for error in Draft202012Validator(SCHEMA).iter_errors(document)
    ]
    assert not errors


def test_the_schema_describes_all_fields_of_a_document(document: Any) -> None:
    assert set(undescribed(document, SCHEMA)) == set()


def test_p_values_are_in_the_document(document: Any) -> None:
    for row in (*document["columns"], *document["features"]):
        assert {"p_alone", "p_in_models", "p_needed"} <= set(row)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"schema": 2}, "$.schema"),
        ({"task": "guessing"}, "$.task"),
        ({"summary": None}, "$.summary"),
        ({"features": [{}]}, "$.features[0]"),
        ({"seed": 1.5}, "$.seed"),
    ],
)
def test_a_wrong_document_does_not_keep_it(document: Any, change: Any, path: str) -> None:
    errors = Draft202012Validator(SCHEMA).iter_errors(document | change)
    assert path in {error.json_path for error in errors}


def undescribed(value: Any, schema: dict[str, Any], path: str = "$") -> Iterator[str]:
    """Fields of objects whose properties are listed, and that are not among them."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    for choice in schema.get("anyOf", ()) if value is not None else ():
        if "$ref" in choice or choice.get("type") == "object":
            yield from undescribed(value, choice, path)
    if isinstance(value, dict) and "properties" in schema:
        for name, item in value.items():
            if name in schema["properties"]:
                yield from undescribed(item, schema["properties"][name], f"{path}.{name}")
            elif "additionalProperties" not in schema:
                yield f"{path}.{name}"
    if isinstance(value, list) and "items" in schema:
        for item in value:
            yield from undescribed(item, schema["items"], f"{path}[]")
