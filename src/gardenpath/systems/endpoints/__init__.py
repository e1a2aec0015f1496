"""Models behind servers: log-probabilities of prompts, examined before they count, and answers of chat models."""
