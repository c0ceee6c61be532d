"""The searches, each in one file; ALGORITHMS is the one list of them."""

from kingmaker.core.agent import Agent
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.greedy import Greedy
from kingmaker.search.max_prob import MaxProb
from kingmaker.search.maxn import Maxn
from kingmaker.search.minimax import Minimax
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.random import Random
from kingmaker.search.soft_maxn import SoftMaxn

ALGORITHMS: dict[str, type[Agent]] = {
    "alpha_beta": AlphaBeta,
    "greedy": Greedy,
    "max_prob": MaxProb,
    "maxn": Maxn,
    "minimax": Minimax,
    "paranoid": Paranoid,
    "random": Random,
    "soft_maxn": SoftMaxn,
}
