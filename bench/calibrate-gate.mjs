// The work of peers/calibrate-gate.py with the library, in one process: paper fit by both entropies (and both optimisers), every
// calibration error of S with 200 null draws, the three gate modes. Prints a few numbers so that the two can be compared.

import { defensibleTargets, evaluateScore, fitPaper, paperScores } from "../dist/entry/calibration.js";
import { evaluateGate } from "../dist/entry/gate.js";
import { countGateCohorts, openAuditTable, readScoreColumns, SCORE_COLUMNS, withDuckDB } from "../dist/entry/ledger.js";

const path = process.argv[2];
const format = path.endsWith(".parquet") ? "parquet" : "csv";
// The Parquet file stands for a sealed run, whose keys were checked when it was written.
const own = format === "parquet";

await withDuckDB(
  async (db) => {
    const table = await openAuditTable(db, { path, format, own }, { also: SCORE_COLUMNS });
    const columns = await readScoreColumns(table);
    const fit = fitPaper(columns, { component: "h_w" });
    const other = fitPaper(columns, { component: "h_kappa" });
    console.log("h_w", fit.weights, fit.loss, "h_kappa", other.weights, other.loss);
    const score = paperScores(columns, { ...fit.weights, component: "h_w" });
    console.log("ECE", evaluateScore(score, defensibleTargets(columns.level), { seed: 1 }).ece);
    const gate = evaluateGate(await countGateCohorts(table, { by: ["community"] }), { look: "once", frontier: false });
    for (const mode of ["paper", "shrunk", "certified"]) {
      console.log(mode, gate.communities.filter((community) => community.passes[mode]).length);
    }
  },
  { ordered: false },
);
