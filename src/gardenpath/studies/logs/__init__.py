"""Results of other harnesses, sample by sample, as a study: lm-evaluation-harness, Inspect and every-eval-ever."""
