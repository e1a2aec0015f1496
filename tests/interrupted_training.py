"""A training that somebody stops, for tests of what goes on where it was stopped."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def interrupt_after_an_epoch(training: Callable[[], object]) -> None:
    """Begins a training of a network, and ends it as Ctrl-C would when its second epoch ends."""
    from gardenpath_models.neural import training_loop

    end_epoch = training_loop._Run._end_epoch

    def interrupted(run: training_loop._Run) -> None:
        if run.at.epoch == 1:
            raise KeyboardInterrupt
        end_epoch(run)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_loop._Run, "_end_epoch", interrupted)
        with pytest.raises(KeyboardInterrupt):
            training()
