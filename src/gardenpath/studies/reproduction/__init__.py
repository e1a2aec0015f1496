"""Papers computed again: each published number beside ours, equal or not, and why."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .line import Line as Line
    from .paper import PAPERS as PAPERS
    from .paper import Paper as Paper
    from .paper import papers_called as papers_called
    from .paper import reproduce as reproduce

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {"line": ["Line"], "paper": ["PAPERS", "Paper", "papers_called", "reproduce"]}
)
