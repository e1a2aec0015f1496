"""The command line: one file per command, each a thin shell over a function of the library."""

import atexit
import gc
import os

from .._lazy import lazy_exports

# BLAS threads cost 0.08 s at every start and slow the small products we do; a user's own setting wins.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

gc.set_threshold(100_000, 20, 20)  # start-up makes many objects and no garbage
atexit.register(gc.freeze)  # Python would look for garbage among all of them once more, 30 ms before it ends anyway

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
