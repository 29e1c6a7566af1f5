"""How long does a fit take on a table as they are: rare values, skewed numbers, many ties?

    python benchmarks/mixed.py [--sizes 20000 100000] [--seed 0]

Departures from three airports, in the likeness of nycflights13: 27 columns, of which ten say
carriers (the rarest one flight in a thousand), skewed distances, seats and winds, rain that is
mostly none, hours and months in whole numbers; the outcome is how late, in four classes. One line
for each size: the processor's seconds of the whole fit and of its stages (those by the clock),
programs that fell back to the exact engine, and how many weights were asked about. To compare with
another version, run it with that version's sources first in PYTHONPATH.
"""

import argparse
import time

import numpy as np

from relbounds import OrdinalRelevance

_CARRIERS = (0.17, 0.165, 0.145, 0.06, 0.05, 0.037, 0.01, 0.002, 0.0015, 0.001)
_CUTS = (0.61, 0.78, 0.92)


def flights(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns and how late, class 0 to 3."""
    rng = np.random.default_rng(seed)
    carrier, origin = _indicators(rng, n, _CARRIERS), _indicators(rng, n, (0.33, 0.31))
    month, day = rng.integers(1, 13, n), rng.integers(1, 32, n)
    hour = np.clip(np.round(5 + 15 * rng.beta(1.2, 1.1, n)), 5, 23)
    minute = rng.choice([0, 15, 29, 30, 45, 55, 59], n)
    distance = np.round(np.exp(rng.normal(6.7, 0.7, n))) + 3000 * carrier[:, 9]
    seats = rng.choice([20, 55, 95, 140, 178, 200, 330], n, p=[0.02, 0.3, 0.1, 0.2, 0.2, 0.1, 0.08])
    built = 2013 - np.round(rng.gamma(3.0, 3.5, n))
    warm = 55 - 25 * np.cos(2 * np.pi * (month - 0.5) / 12) + rng.normal(0, 9, n)
    dew = warm - rng.gamma(2.0, 8.0, n)
    humid = np.clip(100 - 2.2 * (warm - dew) + rng.normal(0, 3, n), 10, 100)
    wind, gust = rng.gamma(3.5, 3.2, n), rng.exponential(4.0, n)
    rain = np.where(rng.uniform(size=n) < 0.07, np.round(rng.exponential(0.04, n), 2), 0.0)
    visib = np.where(rain > 0, np.round(rng.uniform(1, 10, n)), 10.0)
    pressure = np.round(rng.normal(1018, 7.5, n), 1)
    numbers = [month, day, hour, minute, distance, seats, built, warm, dew, humid, wind, gust]
    X = np.column_stack([*numbers, rain, visib, pressure, origin, carrier])
    late = 0.14 * hour + 4 * rain - 0.05 * visib + 0.02 * wind + 0.005 * humid
    late += carrier @ rng.normal(0, 0.5, carrier.shape[1]) + 0.3 * np.isin(month, (6, 7, 12))
    late += rng.gumbel(0, 1.3, n)
    return X, np.digitize(late, np.quantile(late, _CUTS))


def _indicators(rng: np.random.Generator, n: int, shares: tuple[float, ...]) -> np.ndarray:
    """A column for each value but the last, which has the rest."""
    value = rng.choice(len(shares) + 1, n, p=[*shares, 1 - sum(shares)])
    return (value[:, None] == np.arange(len(shares))).astype(float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 100_000])
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for n in asked.sizes:
        X, y = flights(n, asked.seed)
        began = time.process_time()
        result = OrdinalRelevance(random_state=0).fit(X, y).result_
        seconds = time.process_time() - began
        stages = ", ".join(f"{name} {took:.1f}" for name, took in result.seconds.items())
        print(f"n = {n}: {seconds:.1f} s, {result.fallbacks} fell back ({stages})", flush=True)


if __name__ == "__main__":
    main()
