"""Numbers in, numbers out: intervals, tests, correlations and regressions. Knows no linguistics."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .background import fit as fit
    from .background import without_background as without_background
    from .corrections import benjamini_hochberg as benjamini_hochberg
    from .corrections import holm as holm
    from .correlation import Correlation as Correlation
    from .correlation import partial_spearman as partial_spearman
    from .correlation import spearman as spearman
    from .distance import wasserstein as wasserstein
    from .distance import wasserstein_of_heights as wasserstein_of_heights
    from .normality import Normality as Normality
    from .normality import shapiro as shapiro
    from .pooled import Pool as Pool
    from .regression import Regression as Regression
    from .regression import relative_importance as relative_importance
    from .resample import Interval as Interval
    from .resample import Paired as Paired
    from .resample import bootstrap_ratio as bootstrap_ratio
    from .resample import draw_weights as draw_weights
    from .resample import paired_bootstrap as paired_bootstrap
    from .resample import paired_randomisation as paired_randomisation
    from .sign_flip import sign_flip_p as sign_flip_p

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "background": ["fit", "without_background"],
        "correlation": ["Correlation", "partial_spearman", "spearman"],
        "corrections": ["benjamini_hochberg", "holm"],
        "distance": ["wasserstein", "wasserstein_of_heights"],
        "normality": ["Normality", "shapiro"],
        "pooled": ["Pool"],
        "regression": ["Regression", "relative_importance"],
        "resample": [
            "Interval",
            "Paired",
            "bootstrap_ratio",
            "draw_weights",
            "paired_bootstrap",
            "paired_randomisation",
        ],
        "sign_flip": ["sign_flip_p"],
    },
)
