"""Interactives: each a Python class and an ES module that computes in the page."""

from tutor.widgets.cost_calculator import CostCalculator
from tutor.widgets.logit_scale import LogitScale
from tutor.widgets.mask_painter import MaskPainter
from tutor.widgets.query_among_keys import QueryAmongKeys
from tutor.widgets.score_histogram import ScoreHistogram

__all__ = ["CostCalculator", "LogitScale", "MaskPainter", "QueryAmongKeys", "ScoreHistogram"]
