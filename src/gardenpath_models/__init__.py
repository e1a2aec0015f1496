"""Models that gardenpath trains itself: n-grams, LSTM, Transformer, RNNG, PLM, PCFG and two neural parsers."""

from gardenpath.systems import LANGUAGE_MODEL, PHRASE_PARSER, Kind

NGRAM = Kind(
    "ngram", "gardenpath_models.ngram.system:NGram", "FILE", "n-gram language model: trained here, or an ARPA file",
    trainer="gardenpath_models.ngram.system:NGramTrainer", roles=(LANGUAGE_MODEL,),
)  # fmt: skip
LSTM = Kind(
    "lstm", "gardenpath_models.neural.system:LSTM", "FOLDER", "LSTM language model over words", "torch", "neural",
    "gardenpath_models.neural.system:NeuralTrainer", roles=(LANGUAGE_MODEL,),
)  # fmt: skip
TRANSFORMER = Kind(
    "transformer", "gardenpath_models.neural.system:Transformer", "FOLDER", "Transformer language model over words",
    "torch", "neural", "gardenpath_models.neural.system:NeuralTrainer", roles=(LANGUAGE_MODEL,),
)  # fmt: skip
RNNG = Kind(
    "rnng", "gardenpath_models.structural.system:RNNGModel", "FOLDER",
    "recurrent neural network grammar: words and trees", "torch", "neural",
    "gardenpath_models.structural.training:StructuralTrainer", roles=(LANGUAGE_MODEL, PHRASE_PARSER),
)  # fmt: skip
PLM = Kind(
    "plm", "gardenpath_models.structural.system:PLMModel", "FOLDER",
    "parsing as language modelling: a Transformer over words and trees", "torch", "neural",
    "gardenpath_models.structural.training:StructuralTrainer", roles=(LANGUAGE_MODEL, PHRASE_PARSER),
)  # fmt: skip
PCFG = Kind(
    "pcfg", "gardenpath_models.pcfg.system:PCFGModel", "FILE",
    "PCFG, trained here or written: exact trees and surprisals", "numba", "pcfg",
    "gardenpath_models.pcfg.system:PCFGTrainer", roles=(LANGUAGE_MODEL, PHRASE_PARSER),
)  # fmt: skip
BIAFFINE = Kind(
    "biaffine", "gardenpath_models.biaffine.system:BiaffineModel", "FOLDER",
    "graph-based dependency parser, also over a pretrained encoder", "torch", "neural",
    "gardenpath_models.biaffine.system:BiaffineTrainer",
)  # fmt: skip
CHART = Kind(
    "chart", "gardenpath_models.chart.system:ChartModel", "FOLDER",
    "neural span parser: phrase trees with functions and gaps", "torch", "neural",
    "gardenpath_models.chart.system:ChartTrainer", roles=(PHRASE_PARSER,),
)  # fmt: skip
