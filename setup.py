"""The kernels, which are C; all else about the package is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

_FOLDER = Path("src/relbounds/engine/kernels/c")

setup(
    ext_modules=[
        Extension(
            "relbounds.engine.kernels.native",
            sources=sorted(map(str, _FOLDER.glob("*.c"))),
            depends=sorted(map(str, _FOLDER.glob("*.h"))),
            extra_compile_args=["-O3"],
            optional=True,  # without a C compiler NumPy and HiGHS do the same
            py_limited_api=True,  # one build for all versions of Python
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
