"""The searches, each in one file; ALGORITHMS is the one list of them."""

from kingmaker.core.agent import Agent
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.backward_induction import BackwardInduction
from kingmaker.search.best_reply import BestReply
from kingmaker.search.best_reply_plus import BestReplyPlus
from kingmaker.search.decoupled_uct import DecoupledUct
from kingmaker.search.greedy import Greedy
from kingmaker.search.ismcts import Ismcts
from kingmaker.search.max_prob import MaxProb
from kingmaker.search.maxn import Maxn
from kingmaker.search.mcts import Mcts
from kingmaker.search.minimax import Minimax
from kingmaker.search.mp_mix import MpMix
from kingmaker.search.multi_minimax import MultiMinimax
from kingmaker.search.offensive import Offensive
from kingmaker.search.om import Om
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.pimc import Pimc
from kingmaker.search.prob_maxn import ProbMaxn
from kingmaker.search.prom import Prom
from kingmaker.search.pvs import Pvs
from kingmaker.search.random import Random
from kingmaker.search.regret_matching import RegretMatching
from kingmaker.search.soft_maxn import SoftMaxn
from kingmaker.search.weak_rational import WeakRational

ALGORITHMS: dict[str, type[Agent]] = {
    "alpha_beta": AlphaBeta,
    "backward_induction": BackwardInduction,
    "best_reply": BestReply,
    "best_reply_plus": BestReplyPlus,
    "decoupled_uct": DecoupledUct,
    "greedy": Greedy,
    "ismcts": Ismcts,
    "max_prob": MaxProb,
    "maxn": Maxn,
    "mcts": Mcts,
    "minimax": Minimax,
    "mp_mix": MpMix,
    "multi_minimax": MultiMinimax,
    "offensive": Offensive,
    "om": Om,
    "paranoid": Paranoid,
    "pimc": Pimc,
    "prob_maxn": ProbMaxn,
    "prom": Prom,
    "pvs": Pvs,
    "random": Random,
    "regret_matching": RegretMatching,
    "soft_maxn": SoftMaxn,
    "weak_rational": WeakRational,
}
