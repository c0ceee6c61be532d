"""The searches, each in one file; ALGORITHMS is the one list of them."""

from kingmaker.core.agent import Agent
from kingmaker.core.named_classes import NamedClasses

ALGORITHMS: NamedClasses[type[Agent]] = NamedClasses(
    {
        "alpha_beta": "search.alpha_beta:AlphaBeta",
        "backward_induction": "search.backward_induction:BackwardInduction",
        "best_reply": "search.best_reply:BestReply",
        "best_reply_plus": "search.best_reply_plus:BestReplyPlus",
        "decoupled_uct": "search.decoupled_uct:DecoupledUct",
        "greedy": "search.greedy:Greedy",
        "ismcts": "search.ismcts:Ismcts",
        "max_prob": "search.max_prob:MaxProb",
        "maxn": "search.maxn:Maxn",
        "mcts": "search.mcts:Mcts",
        "minimax": "search.minimax:Minimax",
        "mp_mix": "search.mp_mix:MpMix",
        "multi_minimax": "search.multi_minimax:MultiMinimax",
        "offensive": "search.offensive:Offensive",
        "om": "search.om:Om",
        "paranoid": "search.paranoid:Paranoid",
        "pimc": "search.pimc:Pimc",
        "prob_maxn": "search.prob_maxn:ProbMaxn",
        "prom": "search.prom:Prom",
        "pvs": "search.pvs:Pvs",
        "random": "search.random:Random",
        "regret_matching": "search.regret_matching:RegretMatching",
        "soft_maxn": "search.soft_maxn:SoftMaxn",
        "weak_rational": "search.weak_rational:WeakRational",
    }
)
