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
    from .effect import cliffs_delta as cliffs_delta
    from .effect import cohen_d as cohen_d
    from .effect import cohen_dz as cohen_dz
    from .effect import cohen_h as cohen_h
    from .effect import matched_odds_ratio as matched_odds_ratio
    from .effect import odds_ratio as odds_ratio
    from .effect import rank_biserial as rank_biserial
    from .fitted_model import Effect as Effect
    from .fitted_model import Fit as Fit
    from .intervals import Estimate as Estimate
    from .intervals import bca_interval as bca_interval
    from .intervals import bootstrap_interval as bootstrap_interval
    from .intervals import bootstrap_mean as bootstrap_mean
    from .intervals import difference_of_ratios as difference_of_ratios
    from .intervals import ratio_of_sums as ratio_of_sums
    from .intervals import wilson as wilson
    from .mixed import fit_mixed as fit_mixed
    from .mixed import likelihood_ratio as likelihood_ratio
    from .normality import Normality as Normality
    from .normality import shapiro as shapiro
    from .pearson import product_moment as product_moment
    from .pooled import Pool as Pool
    from .power import pairs_for_means as pairs_for_means
    from .power import pairs_for_shares as pairs_for_shares
    from .power import power_of_paired_means as power_of_paired_means
    from .power import power_of_paired_shares as power_of_paired_shares
    from .regression import Regression as Regression
    from .regression import relative_importance as relative_importance
    from .resample import Interval as Interval
    from .resample import Paired as Paired
    from .resample import bootstrap_ratio as bootstrap_ratio
    from .resample import draw_weights as draw_weights
    from .resample import paired_bootstrap as paired_bootstrap
    from .resample import paired_randomisation as paired_randomisation
    from .sampling import Clusters as Clusters
    from .sampling import Difference as Difference
    from .sampling import jackknife as jackknife
    from .sampling import mean as mean
    from .sampling import share as share
    from .sampling import share_difference as share_difference
    from .sign_flip import sign_flip_p as sign_flip_p
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
        "correlation": ["Correlation", "partial_spearman", "spearman"],
        "distance": ["wasserstein", "wasserstein_of_heights"],
        "effect": [
            "cliffs_delta",
            "cohen_d",
            "cohen_dz",
            "cohen_h",
            "matched_odds_ratio",
            "odds_ratio",
            "rank_biserial",
        ],
        "intervals": [
            "Estimate",
            "bca_interval",
            "bootstrap_interval",
            "bootstrap_mean",
            "difference_of_ratios",
            "ratio_of_sums",
            "wilson",
        ],
        "fitted_model": ["Effect", "Fit"],
        "mixed": ["fit_mixed", "likelihood_ratio"],
        "normality": ["Normality", "shapiro"],
        "pearson": ["product_moment"],
        "pooled": ["Pool"],
        "power": ["pairs_for_means", "pairs_for_shares", "power_of_paired_means", "power_of_paired_shares"],
        "regression": ["Regression", "relative_importance"],
        "resample": [
            "Interval",
            "Paired",
            "bootstrap_ratio",
            "draw_weights",
            "paired_bootstrap",
            "paired_randomisation",
        ],
        "sampling": ["Clusters", "Difference", "jackknife", "mean", "share", "share_difference"],
        "sign_flip": ["sign_flip_p"],
        "tests": ["MeanTest", "Verdict", "mcnemar", "one_sample_t", "paired_t", "wilcoxon"],
    },
)
