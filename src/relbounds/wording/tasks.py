"""What is a task called, and how are its outcome and its errors put in words?"""

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskWords:
    """How one task is spoken of.

    Attributes
    ----------
    outcome : str
        What is to be explained.
    higher : str
        What larger values of a feature go with if its weight is positive; ``{last}`` is the last
        class.
    score : str
        How well a model did: its mean ``{error}`` and the ``{standard_error}``, or the same in
        percent, ``{right}`` and ``{standard_error_in_percent}``.
    guessing : str
        How well one does without any feature, which has the error ``{guess}``, or is right in
        ``{guessed}`` percent.
    between_classes : str
        What stands between them in a list.
    """

    outcome: str
    higher: str
    score: str
    guessing: str
    between_classes: str = ", "


TASK_WORDS = {
    "ordinal": TaskWords(
        outcome="ordered classes",
        higher="higher classes",
        score="missed by {error:.2f} classes on average (standard error {standard_error:.2f}), "
        "every class counting the same",
        guessing="Always naming the middle class would miss by {guess:.2f}.",
        between_classes=" < ",
    ),
    "classification": TaskWords(
        outcome="two classes",
        higher="the class {last}",
        score="was right in {right} (standard error {standard_error_in_percent}), both classes "
        "counting the same",
        guessing="Guessing is right in 50 %.",
    ),
    "regression": TaskWords(
        outcome="a number",
        higher="a larger outcome",
        score="missed by {error:.2f} on average (standard error {standard_error:.2f}), in standard "
        "deviations of the outcome (in its own units with standardize=False)",
        guessing="A model without features misses by {guess:.2f}.",
    ),
}
TASKS = tuple(TASK_WORDS)
_SEVERAL_CLASSES = TaskWords(
    outcome="classes without order",
    higher="",  # each class has a direction of its own
    score="was right in {right} (standard error {standard_error_in_percent}), every class counting "
    "the same",
    guessing="Guessing is right in {guessed}.",
)


def words_of(task: str, *, is_each_told_apart: bool) -> TaskWords:
    """How a task is spoken of; three classes and more without order have words of their own."""
    return _SEVERAL_CLASSES if is_each_told_apart else TASK_WORDS[task]
