import { type PromptCounts, writePrompts } from "../../app/audit/prompts.js";
import { createAnswersAuditor, createPromptWriter } from "../../auditors/answers/auditor.js";
import { AsideFile } from "../../io/aside-file.js";
import { plural, whole } from "../../present/words/numbers.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { interruptible } from "../interrupt.js";
import { scrubFrom } from "../scrub-options.js";
import type { QuestionFlags } from "./options.js";
import { type OwnRequest, sharedRequest } from "./session.js";

export interface PromptFlags extends QuestionFlags {
  out: string;
  /** Tokens of prompt and answer together. */
  context?: number;
  /** A file of answers: what it answers is left out. */
  answers?: string;
}

/** Writes what would be asked into a file, which appears when it is complete. */
export async function promptSession(workspace: Workspace, flags: PromptFlags, own: OwnRequest): Promise<PromptCounts> {
  const contextTokens = flags.context ?? workspace.config.context_tokens;
  const options = contextTokens === undefined ? {} : { contextTokens };
  const auditor = flags.answers ? await createAnswersAuditor(flags.answers, options) : createPromptWriter(options);
  const scrub = await scrubFrom(flags);
  const interrupt = interruptible();
  const file = new AsideFile(flags.out);
  try {
    const counts = await writePrompts(
      workspace,
      {
        ...{ humans: false, batch: false, keepRaw: false, ...own },
        ...sharedRequest(workspace, flags, auditor),
        ...{ scrub, stop: interrupt.signal, contextTokens: contextTokens ?? null },
        ...{
          concurrency: 1,
          retryErrors: false,
          fresh: false,
          dryRun: true,
          maxCost: null,
          cache: false,
          endpoint: null,
        },
        ...{ progress: () => {}, estimated: () => {}, notice: () => {} },
      },
      (line) => file.write(`${JSON.stringify(line)}\n`),
    );
    if (!counts.stopped) file.commit();
    return counts;
  } finally {
    file.discard();
    interrupt.release();
    await auditor.close?.();
  }
}

/** What was written, in a sentence or two. */
export function promptSentence(counts: PromptCounts, out: string): string {
  const { audits, written, shared, answered, noRules, tooLong, example } = counts;
  if (counts.stopped) return "Stopped. Nothing was written.";
  const lines = [
    `Wrote ${plural(written, "prompt")} for ${plural(audits, "audit")} to ${printable(out)}. Nothing was asked.`,
  ];
  if (answered > 0) lines.push(`${plural(answered, "prompt")} left out: answered already.`);
  if (shared > 0)
    lines.push(`${plural(shared, "prompt")} left out: the same text as another, whose answer serves both.`);
  if (noRules > 0) lines.push(`${plural(noRules, "audit")} without a prompt: no rule is in force.`);
  if (tooLong > 0) lines.push(`${whole(tooLong)} without a prompt: ${printable(example ?? "", 500)}`);
  if (written > 0)
    lines.push("Answer each line with its `key` and `text`, then: defensible audit --auditor answers:FILE");
  return lines.join("\n");
}
