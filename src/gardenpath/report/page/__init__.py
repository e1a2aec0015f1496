"""The report: one self-contained HTML page from any runs. Begin with `page.py`; the look is in `assets/`."""
