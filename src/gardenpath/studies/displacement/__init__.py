"""How far is test from training data, and does that explain the score? (EDV: Anderson and Gómez-Rodríguez 2022)."""
