export const GATE_MODES = ["paper", "shrunk", "certified"] as const;
export type GateMode = (typeof GATE_MODES)[number];
export const GATE_STATES = ["earned_autonomy", "policy_gaps", "normative_complexity", "insufficient"] as const;
export type GateState = (typeof GATE_STATES)[number];

/** What a cohort of the gate is made of; several make one key, joined by ` × `. */
export const GATE_KEYS = ["community", "decision", "rule", "language"] as const;
export type GateKey = (typeof GATE_KEYS)[number];

/** Which ambiguity the gate limits: the paper's, or the one without contradictions (AI_pure). */
export const GATE_VARIABLES = ["ai", "ai_pure"] as const;
export type GateVariable = (typeof GATE_VARIABLES)[number];
