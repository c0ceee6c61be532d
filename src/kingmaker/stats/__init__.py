"""Statistics: functions from numbers to numbers, which know nothing of games or stores."""
