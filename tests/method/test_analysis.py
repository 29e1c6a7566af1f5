"""Stages, one after another; whoever waits long is told what is known so far."""

import logging

import pytest
from small_fits import estimator, table

from relbounds.method import analysis


def test_a_long_fit_tells_what_is_proved_before_weights_are_bounded(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, _ = table()
    caplog.set_level(logging.INFO, "relbounds")
    model = estimator("ordinal").fit(X, y)
    assert not caplog.records, "what takes no time needs no news"
    monkeypatch.setattr(analysis, "LONG", 0.0)
    again = estimator("ordinal").fit(X, y)
    [told] = [each.message for each in caplog.records]
    result = model.result_
    needed = [name for name, each in zip(result.feature_names, result.needed, strict=True) if each]
    assert told.startswith(f"So far: {len(needed)} of {len(result.feature_names)} features")
    assert f"({', '.join(needed)})" in told
    assert again.relevance_.tolist() == model.relevance_.tolist()
