"""How much memory does a fit take above its data? Each in a process of its own.

    python benchmarks/memory.py [PROBLEM ...]

Of each problem (names as in `problems.py`): the data in MB, the rise of the peak resident set while
fitting, everything tuned and 50 probes, and how many times the data that is.
"""

import subprocess
import sys
import warnings

from measure import forget_peak, peak_bytes, tiny
from problems import problems

from relbounds import OrdinalRelevance

USUAL = ("n=10000 d=20", "n=100000 d=20", "n=500 d=1000")


def measured(name: str) -> str:
    """In this process; what is loaded at its first use was used before."""
    [problem] = [each for each in problems() if each.name == name]
    data, small = problem.arrays(), tiny({})
    for engine in ("simplex", "interior"):
        OrdinalRelevance(engine=engine, C=1.0, random_state=0).fit(small["X"], small["y"])
    forget_peak()
    before = peak_bytes()
    OrdinalRelevance(random_state=0).fit(data["X"], data["y"])
    peak, size = peak_bytes(), data["X"].nbytes
    if before is None or peak is None:
        return f"{name}: this system does not tell"
    rise = peak - before
    return f"{name}: data {size / 1e6:.1f} MB, rise {rise / 1e6:.1f} MB, {rise / size:.1f} times"


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            print(measured(sys.argv[2]), flush=True)
        return
    for name in sys.argv[1:] or USUAL:
        subprocess.run([sys.executable, __file__, "--one", name], check=True)


if __name__ == "__main__":
    main()
