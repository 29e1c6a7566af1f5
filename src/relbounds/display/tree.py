"""What is alike? Where each part of a tree stands, and how it is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from relbounds.arrays import IntArray
from relbounds.display.layout import Key, Space
from relbounds.display.style import LOOKS, ink, tidy
from relbounds.results.answers import FAR_MORE, Join

Place = tuple[float, float]
"""A distance, and a row."""
TIP = -0.003
"""Where leaves stand: below zero, which is the distance of copies."""
AXIS = "distance: 1 \N{MINUS SIGN} mean |correlation|"
_TIMES = "\N{MULTIPLICATION SIGN}"
_THICK, _THIN = 2.4, 1.0  # points
_GREY = "#8C8C8C"
_ROOM = 0.16  # for a number, in roots of distances
_TICKS = (0.001, 0.003, 0.01, 0.05, 0.2, 0.5, 1.0)
_LARGEST_RATIO = 1000
Distances = Any
"""A number, or an array of them."""


@dataclass(frozen=True)
class Fork:
    """A join, with the places of the halves that it joins."""

    join: Join
    first: Place
    second: Place

    @property
    def members(self) -> frozenset[str]:
        """The features of both halves."""
        return frozenset(self.join.first + self.join.second)

    @property
    def place(self) -> Place:
        """At the distance of the join, halfway between its halves."""
        return self.join.distance, (self.first[1] + self.second[1]) / 2

    @property
    def path(self) -> list[Place]:
        """From one half to the other."""
        distance = self.join.distance
        return [self.first, (distance, self.first[1]), (distance, self.second[1]), self.second]

    @property
    def stands_in(self) -> bool:
        """Whether the halves stand in for one another."""
        return self.join.ratio >= FAR_MORE


def leaves(joins: Sequence[Join], order: Mapping[str, int]) -> list[str]:
    """Names from top to bottom so that no lines cross, as close to this order as that allows."""
    parts = [frozenset(joins[0].first + joins[0].second)] if joins else []
    for join in joins:  # those of a set come after the one that it is a half of
        halves = [frozenset(join.first), frozenset(join.second)]
        where = parts.index(halves[0] | halves[1])
        parts[where : where + 1] = sorted(halves, key=lambda half: min(order[k] for k in half))
    return [name for (name,) in parts]


def forks(joins: Sequence[Join], rows: Mapping[str, int]) -> list[Fork]:
    """The joins of leaves in these rows, the first one last; leaves stand at ``TIP``."""
    places: dict[frozenset[str], Place] = {frozenset([name]): (TIP, rows[name]) for name in rows}
    found = []
    for join in reversed(joins):
        fork = Fork(join, places[frozenset(join.first)], places[frozenset(join.second)])
        places[fork.members] = fork.place
        found.append(fork)
    return found


def draw_tree(space: Space, forks: Sequence[Fork], relevance: IntArray) -> None:
    """Joins at their distances, and at each leaf the marker of its class."""
    ax = space.ax
    reach = max([fork.join.distance for fork in forks], default=0.0) or 1.0
    for stand_ins in (False, True):
        _draw_joins(ax, [fork for fork in forks if fork.stands_in == stand_ins], stand_ins)
    for fork in _with_room(forks):
        _write_ratio(space, fork)
    for each, look in LOOKS.items():
        rows = np.flatnonzero(relevance == each)
        tips, markers = np.full(len(rows), TIP), look.of_markers(0.5 * space.row)
        ax.scatter(tips, rows, label=look.name, zorder=4, clip_on=False, **markers)
    ax.set_xscale("function", functions=(_signed_root, _signed_square))
    ticks = [0.0, *(each for each in _TICKS if 0.04 * reach <= each <= 1.2 * reach)]
    ax.set_xticks(ticks, [f"{each:g}" for each in ticks])
    ax.set_xlim(1.2 * reach, 1.4 * TIP)
    ax.set_xlabel(AXIS, fontsize="small")
    tidy(ax)
    ax.spines["left"].set_visible(False)


def _signed_root(distance: Distances) -> Distances:
    """Room for joins of what is much alike; of columns of length one it is how far apart they are.

    ``|u - v|^2 = 2 - 2 <u, v>``.
    """
    return np.sign(distance) * np.sqrt(np.abs(distance))


def _signed_square(root: Distances) -> Distances:
    return np.sign(root) * root**2


def _draw_joins(ax: Axes, forks: Sequence[Fork], stand_ins: bool) -> None:
    lines = LineCollection(
        [fork.path for fork in forks],
        colors=ink() if stand_ins else _GREY,
        linewidths=_THICK if stand_ins else _THIN,
        label="stand-ins" if stand_ins else "alike",
        zorder=3 if stand_ins else 2,
    )
    ax.add_collection(lines, autolim=False)


def _with_room(forks: Sequence[Fork]) -> list[Fork]:
    """Those whose number can be told from that of the next larger stand-ins."""
    stand_ins = [fork for fork in forks if fork.stands_in]
    return [
        fork
        for fork in stand_ins
        if all(
            _signed_root(other.join.distance) - _signed_root(fork.join.distance) > _ROOM
            for other in stand_ins
            if fork.members < other.members
        )
    ]


def _write_ratio(space: Space, fork: Fork) -> None:
    """How much dearer it is to miss both halves, left of their join."""
    space.ax.annotate(
        f"{_TIMES} {ratio_text(fork.join.ratio)}",
        fork.place,
        (-4, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=min(9.0, 0.62 * space.row),
        zorder=5,
        path_effects=[withStroke(linewidth=2.5, foreground=space.ax.get_facecolor())],
    )


def ratio_text(ratio: float) -> str:
    """In two digits, as far as they say anything.

    >>> [ratio_text(each) for each in (2.13, 14.2, 230.4, 54321.0, np.inf)]
    ['2.1', '14', '230', '1000+', '∞']
    """
    if np.isinf(ratio):
        return "∞"
    if ratio > _LARGEST_RATIO:
        return f"{_LARGEST_RATIO}+"
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def tree_keys(forks: Sequence[Fork]) -> list[Key]:
    """What lines of the tree stand for, as far as there are any."""
    keys = {
        True: f"stand-ins: missing both costs {_TIMES} the sum",
        False: "joined by likeness only",
    }
    lines = {
        True: Line2D([], [], color=ink(), linewidth=_THICK),
        False: Line2D([], [], color=_GREY, linewidth=_THIN),
    }
    drawn = {fork.stands_in for fork in forks}
    return [(keys[each], lines[each]) for each in keys if each in drawn]
