"""Who sits where in the first round of a bracket: the standard tables, worked out.

In a bracket for two, everybody who wins as expected meets in every round the strongest it can: the
seeds of a meeting add up to one more than are left (1-8 4-5 2-7 3-6, then 1-4 2-3, then 1-2), so 1
and 2 meet in the final only. In a bracket of threes the best seed of a meeting has the same part,
and the others go up from the weakest: with nine, 1-6-9 2-5-8 3-4-7.
"""

from functools import cache


def slots_for(entrants: int, size: int = 2) -> int:
    """Return how many slots the bracket has: the least power of `size` that holds them all."""
    slots = size
    while slots < entrants:
        slots *= size
    return slots


@cache
def table(slots: int, size: int = 2) -> tuple[int, ...]:
    """Return the seeds from the top of the bracket to its end, `size` for every meeting of round 1.

    `slots` is a power of `size`. Seeds that nobody has are empty slots: byes for the best seeds.
    """
    if slots == 1:
        return (1,)
    groups = slots // size
    return tuple(
        seed
        for head in table(groups, size)
        for seed in (head, *(groups * of + 1 - head for of in range(2, size + 1)))
    )


def meetings(entrants: int, size: int = 2) -> tuple[tuple[int, ...], ...]:
    """Return the seeds that meet in round 1, from the top of the bracket on.

    One alone has a bye.
    """
    seeds = table(slots_for(entrants, size), size)
    return tuple(
        tuple(seed for seed in seeds[start : start + size] if seed <= entrants)
        for start in range(0, len(seeds), size)
    )
