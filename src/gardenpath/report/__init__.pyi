from .formats import plain as plain
from .formats import render as render
from .measures import measure_tables as measure_tables
