import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEVELOPMENT } from "../../bench/baseline.mjs";
import { Frames } from "../../src/audit/frames.js";
import { RuleBook } from "../../src/audit/rules-in-force.js";
import type { AuditCase } from "../../src/core/records/case.js";
import { contentParts, decisionSchema, precedentSchema } from "../../src/core/records/decision.js";
import { loadRuleSets } from "../../src/store/files/rule-files.js";
import { openWorkspace } from "../../src/store/files/workspace.js";
import type { Payload } from "./payload.js";

const SAMPLE = join(import.meta.dirname, "..", "..", "examples", "commons-hard");
/** The other communities of the sample are held out (design/holdout.md): nothing here may read them. */
const READABLE: ReadonlySet<string> = new Set(DEVELOPMENT);

function ofDevelopment(name: string): { community: string }[] {
  return readFileSync(join(SAMPLE, name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { community: string })
    .filter(({ community }) => READABLE.has(community));
}

/** The decisions of the sample's development communities as an auditor gets them, at tier wiki. */
export function developmentCases(): AuditCase[] {
  const workspace = openWorkspace(SAMPLE);
  const precedents = ofDevelopment("precedents.jsonl").map((row) => precedentSchema.parse(row));
  const frames = new Frames(precedents, "wiki", workspace.config.actions);
  const rules = new RuleBook(loadRuleSets(workspace).map(({ set }) => set));
  return ofDevelopment("decisions.jsonl").map((row) => {
    const decision = decisionSchema.parse(row);
    return {
      frame: frames.of(decision.community, rules.inForce(decision)).frame,
      content: contentParts(decision.content),
      decision: decision.decision,
      template: "paper",
    };
  });
}

export const PLACES = ["appended", "appended in the line", "prepended", "in the middle"] as const;
export type Place = (typeof PLACES)[number];

/** The case with a payload in its content. */
export function withPayload(auditCase: AuditCase, payload: Payload, place: Place): AuditCase {
  const { content } = auditCase;
  const title = payload.title === undefined ? content.title : `${payload.title} ${content.title}`.trim();
  return { ...auditCase, content: { ...content, title, body: insert(content.body, payload.text, place) } };
}

function insert(body: string, text: string, place: Place): string {
  if (place === "appended") return `${body}\n\n${text}`;
  if (place === "appended in the line") return `${body} ${text}`;
  if (place === "prepended") return `${text}\n\n${body}`;
  const at = middleOf(body);
  return `${body.slice(0, at)} ${text}${body.slice(at)}`;
}

/** Before the space nearest to the middle, if possible one that ends a sentence. */
function middleOf(body: string): number {
  const nearest = (pattern: RegExp) => {
    let best = -1;
    for (const { index } of body.matchAll(pattern)) {
      if (best < 0 || Math.abs(index - body.length / 2) < Math.abs(best - body.length / 2)) best = index;
    }
    return best;
  };
  const sentence = nearest(/(?<=[.!?])\s/g);
  if (sentence >= 0) return sentence;
  const space = nearest(/\s/g);
  return space < 0 ? body.length : space;
}
