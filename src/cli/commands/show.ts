import { Command } from "commander";
import { InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import { contentParts, type Decision } from "../../core/records/decision.js";
import { type Block, table } from "../../present/document/document.js";
import { decimal, percent, plural } from "../../present/words/numbers.js";
import { chosenRun } from "../../store/choose-run.js";
import { readDecisions } from "../../store/files/records.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { type CommonOptions, examples, integer, withCommonOptions, workspaceOf } from "../options.js";
import { printDocument, printJson } from "../output.js";

interface ShowOptions extends CommonOptions {
  run?: string;
  level?: number;
  community?: string;
  limit: number;
}

export function showCommand(): Command {
  return withCommonOptions(new Command("show"))
    .argument("[decision]", "id of a decision; without it, a list")
    .option("--run <id>", "which run (default: the newest)")
    .option("--level <level>", "list only decisions at this level", integer(1, 3))
    .option("--community <name>", "list only decisions of this community")
    .option("--limit <n>", "rows of the list", integer(1), 20)
    .addHelpText("after", examples("defensible show --level 3", "defensible show film-club-008"))
    .action(show);
}

async function show(id: string | undefined, options: ShowOptions): Promise<void> {
  const workspace = await workspaceOf(options);
  const ledger = fileStores(workspace).runs;
  const manifest = await chosenRun(ledger, options.run);
  const found: Audit[] = [];
  for await (const batch of ledger.audits(manifest.run_id)) {
    for (const audit of batch)
      if (id === undefined ? listed(audit, options) : audit.decision_id === id) found.push(audit);
  }
  if (id !== undefined) return showOne(workspace, id, found, manifest.run_id, options);
  found.sort((a, b) => (a.p_defensible ?? 2) - (b.p_defensible ?? 2));
  if (printJson(found.slice(0, options.limit), options)) return;
  printDocument({
    title: `Decisions of run ${manifest.run_id}`,
    subtitle: `least defensible first; ${Math.min(options.limit, found.length)} of ${plural(found.length, "decision")}. \`defensible show ID\` shows one`,
    blocks: [
      table(
        ["decision", "community", "decided", "human", ">level", "inverse", ">p_defensible", "cites"],
        found
          .slice(0, options.limit)
          .map((audit) => [
            printable(audit.decision_id, 40),
            printable(audit.community, 24),
            printable(audit.decision, 20),
            printable(audit.human_label ?? "–", 20),
            audit.level ? String(audit.level) : audit.outcome,
            audit.inverse === null || audit.inverse === undefined ? "–" : audit.inverse ? "Yes" : "No",
            decimal(audit.p_defensible ?? null, 3),
            printable(audit.citation?.rule_id ? `${audit.citation.scope} ${audit.citation.rule_id}` : "–", 30),
          ]),
      ),
    ],
  });
}

function listed(audit: Audit, options: ShowOptions): boolean {
  return (
    audit.arm === "" &&
    audit.replicate === 0 &&
    (options.level === undefined || audit.level === options.level) &&
    (options.community === undefined || audit.community === options.community)
  );
}

async function showOne(
  workspace: Workspace,
  id: string,
  audits: Audit[],
  runId: string,
  options: ShowOptions,
): Promise<void> {
  const decision = await findDecision(workspace, id);
  if (audits.length === 0) {
    throw new InputError(
      "unknown_decision",
      `decision: run ${runId} has no audit of "${id}"`,
      decision ? "Audit it first, or name another run with --run." : "`defensible show` lists the decisions of a run.",
    );
  }
  if (printJson({ decision, audits }, options)) return;
  printDocument({
    title: `Decision ${printable(id)}`,
    subtitle: `${printable(audits[0]!.community)} · run ${runId}`,
    blocks: [...contentBlocks(decision), ...audits.flatMap(auditBlocks)],
  });
}

async function findDecision(workspace: Workspace, id: string): Promise<Decision | null> {
  for await (const batch of readDecisions(workspace)) {
    const decision = batch.find((one) => one.id === id);
    if (decision) return decision;
  }
  return null;
}

function contentBlocks(decision: Decision | null): Block[] {
  if (!decision) return [];
  const { title, body } = contentParts(decision.content);
  return [
    { kind: "heading", text: "Content" },
    ...(title ? [{ kind: "text" as const, text: printable(title, 500) }] : []),
    { kind: "text", text: printable(body, 4000) },
  ];
}

const LEVEL_WORDS = { 1: "robustly defensible", 2: "plausibly defensible", 3: "indefensible" };

function auditBlocks(audit: Audit): Block[] {
  const whose = audit.arm === "human" ? "the human's decision" : "the decision";
  const heading: Block = { kind: "heading", text: `Audit of ${whose}: ${printable(audit.decision, 40)}` };
  if (audit.outcome !== "verdict" || !audit.level) {
    return [
      heading,
      { kind: "text", text: `${audit.outcome}: ${printable(audit.error?.message ?? "no verdict", 1000)}` },
    ];
  }
  const [p1 = 0, p2 = 0, p3 = 0] = audit.level_probs ?? [];
  return [
    heading,
    { kind: "text", text: printable(audit.trace?.logic_chain ?? "", 4000) },
    {
      kind: "text",
      text: `Level ${audit.level}, ${LEVEL_WORDS[audit.level]}. The opposite could be derived too: ${audit.inverse ? "yes" : "no"}. Cites: ${printable(audit.trace?.policy_citation ?? "–", 1000)}`,
    },
    ...(audit.level_probs
      ? [
          {
            kind: "text" as const,
            text: `Probabilities: level 1 ${percent(p1)}, level 2 ${percent(p2)}, level 3 ${percent(p3)}; inverse Yes ${percent(audit.inverse_yes_prob ?? 0)}; S ${decimal(audit.pds ?? null, 3)}.`,
          },
        ]
      : []),
  ];
}
