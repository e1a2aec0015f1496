"""Fuzzing: mutated inputs for every reader, none of which may raise anything but an error of gardenpath's own."""
