"""GGUF files read by llama.cpp, with their weights as they are."""
