"""Reference values for the e-value of weighted bounded units and its upper bound, computed outside the project.

How it was run: Python 3.13 with mpmath 1.3 from Debian's python3-mpmath:

    python3 test/references/threads.py > test/references/threads.json
    npx biome format --write test/references/threads.json

By the definition, at 40 digits, without the stable form that the project computes.
"""

import json

import mpmath as mp

mp.mp.dps = 40


def bounded_e_value(units, r):
    """ln of the mean over 128 alternatives of the products, by mpmath and by the definition (not by the stable form)."""
    r = mp.mpf(r)
    total = mp.mpf(0)
    for g in range(1, 129):
        p = mp.sin((mp.mpf(g) - mp.mpf("0.5")) / 128 * mp.asin(mp.sqrt(r))) ** 2
        rate = (r - p) / (r * (1 - r))
        product = mp.mpf(1)
        for u, x, count in units:
            product *= (1 + rate * mp.mpf(u) * (r - mp.mpf(x))) ** count
        total += product
    return mp.log(total / 128)


BOUNDED_UNITS = [
    [(1, 0, 1)], [(1, 0, 29)], [(1, 0, 60)], [(1, 0, 197), (1, 1, 3)], [(1, 0, 380), (1, 1, 20)],
    [(0.2, 0, 100), (0.4, 0.5, 30), (1, 0.125, 12), (1, 1, 1)], [(0.2, 1, 5), (0.6, 0, 400), (1, 0, 90)],
    [(0.05, 0, 2000), (0.1, 0.5, 40)], [(1, 0.3, 50)], [(0, 0.5, 10), (1, 0, 40)],
]


def e_values():
    return [{"units": [{"weight": u, "value": x, "count": c} for u, x, c in units], "r": r,
             "log": float(bounded_e_value(units, r))}
            for units in BOUNDED_UNITS for r in (0.02, 0.1, 0.15, 0.6)]


def bounds():
    out = []
    for units in BOUNDED_UNITS + [[(1, 0, 200)], [(1, 0, 100000)], [(1, 1, 3)]]:
        for delta in (0.05, 0.001):
            limit = mp.log(1 / mp.mpf(delta))
            if all(x == 1 for _, x, _ in units):
                upper = 1.0
            else:
                low, high = mp.mpf(0), mp.mpf(1)
                for _ in range(60):
                    middle = (low + high) / 2
                    if bounded_e_value(units, middle) < limit:
                        low = middle
                    else:
                        high = middle
                upper = float(high)
            out.append({"units": [{"weight": u, "value": x, "count": c} for u, x, c in units], "delta": delta,
                        "upper": upper})
    return out


def main():
    print(json.dumps({"versions": {"mpmath": mp.__version__}, "e_values": e_values(), "bounds": bounds()},
                     indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
