import type { Lint } from "../domain/lint.js";
import { type Block, type Document, table } from "./document.js";
import { plural } from "./numbers.js";
import { printable } from "./printable.js";

export interface LintDocumentOptions {
  /** Findings shown. */
  rows: number;
}

/** What the lint found, worst first. */
export function lintDocument(lint: Lint, { rows }: LintDocumentOptions): Document {
  const { counts, findings } = lint;
  const shown = findings.slice(0, rows);
  const more = findings.length - shown.length;
  const found = `${plural(counts.error, "error")}, ${plural(counts.warning, "warning")}, ${plural(counts.note, "note")}`;
  const blocks: Block[] = [{ kind: "text", text: findings.length === 0 ? "Nothing was found." : `${found}.` }];
  if (shown.length > 0) {
    blocks.push(
      table(
        ["", "rule", "where", "~finding", "~what to do"],
        shown.map((one) => [
          one.severity,
          printable(`${one.scope === "platform" ? "platform" : one.community} ${one.rule_id}`, 40),
          one.part ?? "–",
          printable(`${one.check}: ${one.quote === null ? "" : `"${one.quote}" `}${one.message}`, 400),
          printable(one.remedy, 300),
        ]),
      ),
    );
  }
  if (more > 0) blocks.push({ kind: "text", text: `${plural(more, "finding")} more with --rows or --json.` });
  blocks.push({
    kind: "text",
    text: `${lint.run_id === null ? "No run was looked at: which rules are never cited, or leave decisions open, is told with --run. " : `Citations are those of run ${printable(lint.run_id, 60)}. `}No model read the rules: wordings are found by their form, in English, so a finding is a question to the author. What a change would do to past decisions is told by \`defensible rules diff\`.`,
  });
  return {
    title: "Rules, read for what they leave open",
    subtitle: `${plural(lint.rules, "rule")} in ${plural(lint.rule_sets, "rule set")}`,
    blocks,
  };
}
