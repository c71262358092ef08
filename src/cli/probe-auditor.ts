import { auditorFrom, type ModelSettings } from "../app/audit/configured-auditor.js";
import { probePatiently } from "../audit/calls/patience.js";
import type { Auditor, Capabilities } from "../auditors/auditor.js";
import { DefensibleError } from "../core/errors.js";
import { printable } from "../text/printable.js";
import { type CommonOptions, workspaceOf } from "./options.js";
import { print, printJson } from "./output.js";

const SPACES = {
  raw: "as the model gives them, before temperature",
  tempered: "after temperature; brought back to temperature 1",
  unknown: "unknown whether before or after temperature: every record is flagged unknown_space",
} as const;

/** What a model gives, seen in one cheap call. */
export async function probeAuditor(name: string, options: CommonOptions & ModelSettings): Promise<void> {
  const workspace = await workspaceOf(options).catch((cause: unknown) => {
    if (cause instanceof DefensibleError && !options.workspace) return null;
    throw cause;
  });
  const auditor = await auditorFrom(name, options, workspace?.config ?? null, false, workspace?.root);
  try {
    const found = await probePatiently(auditor, new AbortController().signal);
    const modes = auditor.signals.filter((mode) => mode !== "logprobs" || found === null || found.logprobs);
    if (
      printJson(
        { auditor: name, version: auditor.version, signals: modes, capabilities: found, price: auditor.price },
        options,
      )
    )
      return;
    print(`${printable(name, 120)} (${auditor.version})`);
    if (found === null) print("✓ works in this process; there is nothing to ask");
    else for (const line of describe(found)) print(line);
    print(`✓ signal modes: ${modes.map((mode) => `--signal ${mode}`).join(", ")}`);
    print(priceLine(auditor));
    for (const note of found?.notes ?? []) print(`  ${printable(note, 1000)}`);
  } finally {
    await auditor.close?.();
  }
}

function describe(found: Capabilities): string[] {
  const mark = (yes: boolean) => (yes ? "✓" : "✗");
  return [
    `✓ it answers as ${printable(found.model, 120)} (${printable(found.dialect, 40)})`,
    found.logprobs
      ? `✓ token probabilities: ${found.topLogprobs} candidates a token, ${SPACES[found.space]}`
      : "✗ token probabilities: none",
    `${mark(found.structuredOutput)} structured output: ${found.structuredOutput ? "keeps to a JSON schema" : "no; its JSON is read as it comes"}`,
    `✓ answers per call: ${found.answersPerCall === 1 ? "1" : `up to ${found.answersPerCall}`}`,
  ];
}

function priceLine({ price }: Auditor): string {
  if (price === undefined) return "✓ price: it costs nothing but time";
  if (price === null) return "– price: not known; give it in defensible.yaml under `prices`";
  const cached = price.cached_input === null ? "" : ` (${price.cached_input} from the prefix cache)`;
  const source = price.as_of === "override" ? "your own" : `as of ${price.as_of}`;
  return `✓ price: $${price.input} in${cached}, $${price.output} out per million tokens, ${source}`;
}
