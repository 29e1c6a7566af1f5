"""Where does each part of a tree of joins stand? Leaves in rows, joins between their halves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from relbounds.redundancy import FAR_MORE, Join

Place = tuple[float, float]
"""A distance, and a row."""

TIP = -0.003
"""Where leaves stand: below zero, which is the distance of copies."""


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
