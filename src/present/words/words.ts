import data from "../../../data/words.json" with { type: "json" };
import type { GateMode, GateState, GateVariable } from "../../core/gate.js";
import type { Level } from "../../core/records/level.js";
import type { RULE_KINDS, Tier } from "../../core/records/rule-set.js";
import type { BindingConstraint } from "../../measures/gate/holdout-certificate.js";
import type { LookReason } from "../../measures/report-page.js";

import { type Words, wordTable } from "./vocabulary.js";

export type RuleKind = (typeof RULE_KINDS)[number];

/** States of a community by its observed rates and the gate's limits. */
export const STATE_WORDS: Readonly<Record<GateState, Words>> = wordTable(data.state);

export const LEVEL_WORDS: Readonly<Record<Level, Words>> = wordTable(data.level);

/** Reasons to review a decision, in the order of LOOK_REASONS. */
export const REASON_WORDS: Readonly<Record<LookReason, Words>> = wordTable(data.reason);

export const MODE_WORDS: Readonly<Record<GateMode, Words>> = wordTable(data.mode);

export const VARIABLE_WORDS: Readonly<Record<GateVariable, Words>> = wordTable(data.variable);

/** Which limit keeps a community out. */
export const BINDING_WORDS: Readonly<Record<BindingConstraint, Words>> = wordTable(data.binding);

export const RULE_KIND_WORDS: Readonly<Record<RuleKind, Words>> = wordTable(data.rule_kind);

export const TIER_WORDS: Readonly<Record<Tier, Words>> = wordTable(data.tier);
