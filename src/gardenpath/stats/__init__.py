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
    from .correlation import product_moment as product_moment
    from .correlation import spearman as spearman
    from .distance import wasserstein as wasserstein
    from .distance import wasserstein_of_heights as wasserstein_of_heights
    from .effect import OddsRatio as OddsRatio
    from .effect import cliffs_delta as cliffs_delta
    from .effect import cohen_d as cohen_d
    from .effect import cohen_dz as cohen_dz
    from .effect import cohen_h as cohen_h
    from .effect import matched_odds_ratio as matched_odds_ratio
    from .effect import odds_ratio as odds_ratio
    from .effect import rank_biserial as rank_biserial
    from .fitted_model import Effect as Effect
    from .fitted_model import Fit as Fit
    from .mixed import fit_mixed as fit_mixed
    from .mixed import likelihood_ratio as likelihood_ratio
    from .normality import Normality as Normality
    from .normality import shapiro as shapiro
    from .power import pairs_for_means as pairs_for_means
    from .power import pairs_for_shares as pairs_for_shares
    from .power import power_of_paired_means as power_of_paired_means
    from .power import power_of_paired_shares as power_of_paired_shares
    from .regression import Regression as Regression
    from .regression import relative_importance as relative_importance
    from .resample import draw_weights as draw_weights
    from .sampling import Clusters as Clusters
    from .sampling import Difference as Difference
    from .sampling import Estimate as Estimate
    from .sampling import jackknife as jackknife
    from .sampling import mean as mean
    from .sampling import share as share
    from .sampling import share_difference as share_difference
    from .tests import MeanTest as MeanTest
    from .tests import Verdict as Verdict
    from .tests import mcnemar as mcnemar
    from .tests import one_sample_t as one_sample_t
    from .tests import paired_t as paired_t
    from .tests import wilcoxon as wilcoxon

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "background": ["fit", "without_background"],
        "corrections": ["benjamini_hochberg", "holm"],
        "correlation": ["Correlation", "partial_spearman", "product_moment", "spearman"],
        "distance": ["wasserstein", "wasserstein_of_heights"],
        "effect": [
            "OddsRatio",
            "cliffs_delta",
            "cohen_d",
            "cohen_dz",
            "cohen_h",
            "matched_odds_ratio",
            "odds_ratio",
            "rank_biserial",
        ],
        "fitted_model": ["Effect", "Fit"],
        "mixed": ["fit_mixed", "likelihood_ratio"],
        "normality": ["Normality", "shapiro"],
        "power": ["pairs_for_means", "pairs_for_shares", "power_of_paired_means", "power_of_paired_shares"],
        "regression": ["Regression", "relative_importance"],
        "resample": [
            "draw_weights",
        ],
        "sampling": ["Clusters", "Difference", "Estimate", "jackknife", "mean", "share", "share_difference"],
        "tests": ["MeanTest", "Verdict", "mcnemar", "one_sample_t", "paired_t", "wilcoxon"],
    },
)
