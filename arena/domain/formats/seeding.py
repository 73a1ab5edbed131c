"""The standard tables of seeds for the first round of a bracket, worked out.

In a bracket of twos the seeds of a meeting add up to one more than the entrants that are left, if
the better seed always wins (1-8 4-5 2-7 3-6, then 1-4 2-3, then 1-2). So 1 and 2 meet only in the
final. In a bracket of threes the best seeds are placed in the same way, and the others follow from
the weakest up: with nine, 1-6-9 2-5-8 3-4-7.
"""

from functools import cache


def slots_for(entrants: int, size: int = 2) -> int:
    """Return the number of places: the smallest power of `size` that holds all entrants."""
    slots = size
    while slots < entrants:
        slots *= size
    return slots


@cache
def table(slots: int, size: int = 2) -> tuple[int, ...]:
    """Return the seeds from the top of the bracket down, `size` for every meeting of round 1.

    `slots` is a power of `size`. Seeds above the number of entrants are byes for the best seeds.
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
    """Return the seeds that meet in round 1, from the top of the bracket down.

    A seed alone has a bye.
    """
    seeds = table(slots_for(entrants, size), size)
    return tuple(
        tuple(seed for seed in seeds[start : start + size] if seed <= entrants)
        for start in range(0, len(seeds), size)
    )
