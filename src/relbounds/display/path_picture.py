"""How does a path along the tolerance become a picture? All features' classes, or one interval."""

from typing import Any

from relbounds.display import legends, sheet
from relbounds.display.class_panel import class_keys, draw_classes
from relbounds.display.feature_panel import ROW, ROWS, draw_feature, feature_keys
from relbounds.display.interval_panel import comfortable_row
from relbounds.display.picture import Picture
from relbounds.tolerance_path import RelevancePath

_AXES = "an Axes of matplotlib"
_FEWEST = 4  # rows


def draw(path: RelevancePath, feature: int | None, ax: Any) -> Picture:
    """On these axes or in a new figure."""
    if feature is None:
        rows = max(len(path.feature_names), _FEWEST)
        space = _space(ax, rows, comfortable_row(rows))
        bars, keys = draw_classes(space, path), class_keys(path)
    else:
        space = _space(ax, ROWS, ROW)
        bars, keys = draw_feature(space.ax, path, feature), feature_keys(path, feature)
    above = legends.on_figure if ax is None else legends.on_axes
    return Picture([space.ax], bars, above([space], keys))


def _space(ax: Any, rows: int, row: float) -> sheet.Space:
    spaces = sheet.new([rows], row) if ax is None else sheet.given(ax, [rows], _AXES)
    return spaces[0]
