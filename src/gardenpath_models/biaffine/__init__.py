"""Biaffine dependency parser over the encoder of the chart parser."""
