"""Where a match is played: the table, the referee, openings, seatings and the clock of a match."""
