import type { Plan } from "../../core/results/plan.js";
import type { Block, Document } from "../document/document.js";
import { gateBlocks } from "./gate-blocks.js";
import { certifyBlocks, sizeBlocks } from "./size-blocks.js";

const TITLES: Record<Plan["what"], string> = {
  certify: "Plan: decisions to certify a community",
  estimate: "Plan: decisions to estimate a rate",
  paired: "Plan: decisions for a paired comparison",
  clusters: "Plan: decisions that come in clusters",
  correlation: "Plan: cases for a correlation",
  labels: "Plan: labels beside the auditor",
  gate: "Plan: what the gates let through",
};

/** A plan in words: the answer first, then what it rests on. */
export function planDocument(plan: Plan): Document {
  const { subtitle, blocks } = bodyOf(plan);
  return { title: TITLES[plan.what], subtitle, blocks };
}

export interface PlanBody {
  subtitle: string;
  blocks: Block[];
}

function bodyOf(plan: Plan): PlanBody {
  if (plan.what === "certify") return certifyBlocks(plan);
  if (plan.what === "gate") return gateBlocks(plan);
  return sizeBlocks(plan);
}
