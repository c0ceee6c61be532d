"""Mixed strategies: moves that are played by certain odds."""

import numpy as np


def shares(weights: np.ndarray) -> np.ndarray:
    """Weights made into probabilities; equal ones if all weights are 0."""
    total = weights.sum()
    found: np.ndarray = weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
    return found


def drawn(strategy: np.ndarray, chance: float) -> int:
    """The move to which a number from 0 to 1 points, if each move takes its probability of that range."""
    place = int(np.searchsorted(np.cumsum(strategy), chance, side="right"))
    return min(place, len(strategy) - 1)
