"""Neural language models over words: a vocabulary with classes of unknown words, LSTM and Transformer, training."""
