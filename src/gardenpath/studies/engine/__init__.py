"""What all studies share: the declaration, the engine, settings, grouping, verdicts."""
