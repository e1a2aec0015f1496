"""Trees of other annotation schemes as Universal Dependencies, so that parsers that draw them can be scored."""

from .bridge import BRIDGES, CHOICES, LabelBridge, bridge_named, fitting, note_on, without_counterpart

__all__ = ["BRIDGES", "CHOICES", "LabelBridge", "bridge_named", "fitting", "note_on", "without_counterpart"]
