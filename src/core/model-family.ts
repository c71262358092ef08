/** Name stems of a maker's models, for names that do not contain the family. */
const STEMS: Readonly<Record<string, string>> = {
  o: "gpt",
  chatgpt: "gpt",
  codex: "gpt",
  gemma: "gemini",
  codellama: "llama",
};

/**
 * The family of a model, from any of its names: `openai:gpt-4.1-mini`, `meta-llama/Llama-3.1-8B`, `gguf:./qwen2.5-7b-q4.gguf`. Two models of one
 * family share training and habits, so one judging the other is not a second opinion. null: the family cannot be determined.
 * @example modelFamily("vertex:gemini-2.5-flash") // => "gemini"
 */
export function modelFamily(name: string): string | null {
  // The name contains settings, not a model.
  if (/^simulated(?::|$)/.test(name)) return "simulated";
  const model = name.slice(name.indexOf(":") + 1);
  const last = model.split(/[/\\]/).at(-1) ?? "";
  const stem = /^[^a-z]*([a-z]+)/.exec(last.toLowerCase())?.[1];
  if (!stem) return null;
  return Object.hasOwn(STEMS, stem) ? STEMS[stem]! : stem;
}

/** Whether a decision's decider and an auditor are of one family; false if unknown. */
export function sameFamily(decider: string | null, auditor: string): boolean {
  if (!decider) return false;
  const family = modelFamily(decider);
  return family !== null && family === modelFamily(auditor);
}

/**
 * The auditor of an audit that must not be used to judge real policy: the embedded baseline or a simulated one, even if its answers are replayed.
 * null: any other auditor.
 * @example standInOf({ auditor: "replay:raw.jsonl", auditor_version: "baseline@5#0a1b" }) // => "baseline"
 */
export function standInOf({ auditor, auditor_version }: StandIn): "baseline" | "simulated" | null {
  const name = auditor.startsWith("replay:") ? (auditor_version ?? "") : auditor;
  const [kind] = name.split(/[:@]/);
  return kind === "baseline" || kind === "simulated" ? kind : null;
}

interface StandIn {
  auditor: string;
  auditor_version?: string | null | undefined;
}
