"""The searches, each in one file; ALGORITHMS is the one list of them."""

from kingmaker.core.agent import Agent
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.greedy import Greedy
from kingmaker.search.maxn import Maxn
from kingmaker.search.minimax import Minimax
from kingmaker.search.om import Om
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.prob_maxn import ProbMaxn
from kingmaker.search.prom import Prom
from kingmaker.search.random import Random

ALGORITHMS: dict[str, type[Agent]] = {
    "alpha_beta": AlphaBeta,
    "greedy": Greedy,
    "maxn": Maxn,
    "minimax": Minimax,
    "om": Om,
    "paranoid": Paranoid,
    "prob_maxn": ProbMaxn,
    "prom": Prom,
    "random": Random,
}
