"""How fast Kingmaker is: compiled searches against C, against the same searches interpreted (the twin) and against
OpenSpiel, in one run; and how soon a decision comes.
"""
