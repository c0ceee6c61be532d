"""How fast Kingmaker is: against C, against its own interpreted twin and against a peer, in one run; and how soon it
answers.
"""
