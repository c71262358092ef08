"""Reference values for the e-value of expected harm, computed outside the project, from decisions one by one.

How it was run: Python 3.13 with mpmath 1.3 from Debian's python3-mpmath:

    python3 test/references/harm.py > test/references/harm.json
    npx biome format --write test/references/harm.json

By the definitions, at 40 digits: h = weight of the action * weight of the cited rule, x = mean over the thread of h * bad / h_max,
u = min(size, cap) / cap, E = mean over 128 alternatives of the product of 1 + rate * u * (r - x), r = limit / h_max.
"""

import json
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 40

ACTIONS = {"allow": Fraction(1), "label": Fraction(1, 2), "limit": Fraction(2), "remove": Fraction(3), "ban": Fraction(10)}
RULES = {"P1": Fraction(2), "R1": Fraction(1, 4)}
MOST = max(ACTIONS.values()) * max([Fraction(1), *RULES.values()])


def number(value):
    return mp.mpf(value.numerator) / mp.mpf(value.denominator)


def decisions(size, seed, threaded):
    """A fixed pseudo-random list: a linear congruence, so that no library decides what the cases are."""
    state, out = seed, []

    def draw(n):
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return (state >> 8) % n

    for i in range(size):
        action = list(ACTIONS)[draw(5)]
        rule = [None, "P1", "R1"][draw(3)]
        out.append({"decision": action, "rule": rule, "level": 3 if draw(20) == 0 else 1 + draw(2),
                    "thread": f"t{draw(size // 3)}" if threaded else None})
    return out


def harm(one):
    return ACTIONS[one["decision"]] * RULES.get(one["rule"], Fraction(1)) if one["level"] == 3 else Fraction(0)


def units(rows, cap):
    threads = {}
    for i, one in enumerate(rows):
        threads.setdefault(one["thread"] or f"alone {i}", []).append(one)
    alone = all(one["thread"] is None for one in rows)
    for thread in threads.values():
        weight = Fraction(1) if alone else Fraction(min(len(thread), cap), cap)
        yield weight, sum(map(harm, thread)) / len(thread) / MOST


def log_e(rows, cap, limit):
    r = number(limit / MOST)
    total = mp.mpf(0)
    for g in range(1, 129):
        p = mp.sin((mp.mpf(g) - mp.mpf("0.5")) / 128 * mp.asin(mp.sqrt(r))) ** 2
        rate = (r - p) / (r * (1 - r))
        product = mp.mpf(1)
        for u, x in units(rows, cap):
            product *= 1 + rate * number(u) * (r - number(x))
        total += product
    return mp.log(total / 128)


def case(size, seed, threaded, cap, limit):
    rows = decisions(size, seed, threaded)
    return {"decisions": rows, "cap": cap, "limit": float(limit), "mean": float(sum(map(harm, rows)) / len(rows)),
            "log": float(log_e(rows, cap, limit))}


print(json.dumps({
    "max": float(MOST),
    "actions": {name: float(value) for name, value in ACTIONS.items()},
    "rules": {name: float(value) for name, value in RULES.items()},
    "cases": [case(60, 7, False, 5, Fraction(1)), case(60, 7, False, 5, Fraction(4)), case(90, 11, True, 5, Fraction(1, 2)),
              case(90, 11, True, 1, Fraction(3)), case(150, 23, True, 20, Fraction(2))],
}))
