"""The peer of `defensible report --audits`: what an analyst would write in pandas for the same CSV.
Reads it and computes DI, AI, F1 and the table by community. No intervals, no checks."""
import sys

import pandas as pd

audits = pd.read_csv(sys.argv[1])
defensible = audits["level"] < 3
positive = audits["decision"] == "remove"
human = audits["human_label"] == "remove"
tp, fp, fn = (positive & human).sum(), (positive & ~human).sum(), (~positive & human).sum()
print("DI", defensible.mean(), "AI", audits["inverse"].mean(), "F1", 2 * tp / (2 * tp + fp + fn))

frame = audits.assign(defensible=defensible, tp=positive & human, fp=positive & ~human, fn=~positive & human)
table = frame.groupby("community").agg(
    n=("level", "size"), di=("defensible", "mean"), ai=("inverse", "mean"), tp=("tp", "sum"), fp=("fp", "sum"), fn=("fn", "sum")
)
table["f1"] = 2 * table.tp / (2 * table.tp + table.fp + table.fn)
print(table.describe())
