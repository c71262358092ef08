export type { ScoreColumns, ScoreRow } from "./score-columns.js";
