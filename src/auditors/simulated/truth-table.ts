import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { SIMULATION_FILE } from "../../core/names.js";
import { type TrueVerdict, type Truth, truthSchema } from "../../core/records/label.js";
import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { parsedJson } from "../../core/text-checks.js";
import { fileError } from "../../io/files.js";
import { readLines } from "../../io/read-lines.js";
import { auditorPreset } from "../../simulation/auditor/paper-auditor.js";
import type { CaseTruth } from "../../simulation/auditor/read-case.js";

/** The truth about one decision, as needed for an auditor's draws. */
export interface KnownTruth extends CaseTruth {
  decision: string;
  decider: string | null;
  rule: { scope: "platform" | "community"; rule_id: string } | null;
  ambiguityScope: "platform" | "community" | null;
}

/** The truths of a workspace by decision. Common parts are stored once: 193,273 truths as read would take 300 MB. */
export class TruthTable {
  private readonly truths = new Map<string, KnownTruth>();
  private readonly shared = new Map<string, object>();

  get size(): number {
    return this.truths.size;
  }

  add({ decision_id, level, inverse, tiers, scopes, contest, decision, decider, rule, ambiguity_scope }: Truth): void {
    const { title, sidebar, wiki } = tiers;
    const { platform, community } = scopes;
    this.truths.set(decision_id, {
      level,
      inverse,
      tiers: this.share(`t${keyOf(title)}${keyOf(sidebar)}${keyOf(wiki)}`, {
        title: verdictOf(title),
        sidebar: verdictOf(sidebar),
        wiki: verdictOf(wiki),
      }),
      scopes: this.share(`s${keyOf(platform)}${keyOf(community)}`, {
        platform: verdictOf(platform),
        community: verdictOf(community),
      }),
      contest,
      decision: this.shareText(decision),
      decider: decider == null ? null : this.shareText(decider),
      rule: rule && this.share(`r${rule.scope} ${rule.rule_id}`, { scope: rule.scope, rule_id: rule.rule_id }),
      ambiguityScope: ambiguity_scope,
    });
  }

  get(decisionId: string): KnownTruth | null {
    return this.truths.get(decisionId) ?? null;
  }

  /** The first value stored under this key. */
  private share<T extends object>(key: string, value: T): T {
    const known = this.shared.get(key) as T | undefined;
    if (known === undefined) this.shared.set(key, value);
    return known ?? value;
  }

  private shareText(text: string): string {
    return this.share(`n${text}`, { text }).text;
  }
}

function keyOf({ level, inverse }: TrueVerdict): number {
  return level + (inverse ? 4 : 0);
}

function verdictOf({ level, inverse }: TrueVerdict): TrueVerdict {
  return { level, inverse };
}

/** Reads every line of a truth file. An invalid line is an error: an incomplete truth is not used. */
export async function readTruthTable(path: string): Promise<TruthTable> {
  const table = new TruthTable();
  let checked = 0;
  try {
    for await (const lines of readLines(path)) {
      for (const line of lines) {
        const truth = parsedJson(line.text);
        // Full checks of the first lines and quick checks of the rest: the file is written by one command, or damaged.
        if (!isTruth(truth) || (checked++ < 100 && !truthSchema.safeParse(truth).success)) {
          throw new InputError(
            "bad_truth",
            `${path}, line ${line.number}: not the truth of a decision`,
            "Make the world again with `defensible simulate`.",
          );
        }
        table.add(truth);
      }
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
  return table;
}

function isTruth(value: unknown): value is Truth {
  const truth = value as Partial<Truth> | null;
  if (typeof truth !== "object" || truth === null) return false;
  const { tiers, scopes } = truth;
  return (
    typeof truth.decision_id === "string" &&
    typeof truth.decision === "string" &&
    typeof truth.contest === "number" &&
    [truth, tiers?.title, tiers?.sidebar, tiers?.wiki, scopes?.platform, scopes?.community].every(
      (verdict) => verdict !== undefined && [1, 2, 3].includes(verdict.level!) && typeof verdict.inverse === "boolean",
    )
  );
}

interface SimulatedSettings {
  /** Signals are returned as columns, without tokens. */
  columns: boolean;
  settings: SimulatedAuditor;
}

type Json = Record<string, unknown>;

/**
 * The settings of `simulated:<text>`: the workspace's `simulation.json`, overridden by what the name says, as in
 * `columns,bias=0.3,lean.most=0.5`. The file must exist and be complete unless the name says `preset=…`: otherwise an auditor
 * with errors other than the world's would pass for it unnoticed.
 */
export function readSettings(text: string, workspace: string): SimulatedSettings {
  const words = text.split(",").map((word) => word.trim());
  const columns = words.includes("columns");
  const changes = words.filter((word) => word !== "" && word !== "columns").map(assignment);
  const preset = changes.find(([name]) => name === "preset")?.[1];
  let settings: Json = preset === undefined ? fileSettings(workspace) : structuredClone(presetOf(preset));
  for (const [name, value] of changes) if (name !== "preset") settings = changed(settings, name.split("."), value);
  const parsed = simulatedAuditorSchema.safeParse(settings);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const where = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
    throw wrong(`${where}${issue.message}`);
  }
  return { columns, settings: parsed.data };
}

function assignment(word: string): [name: string, value: string] {
  const equals = word.indexOf("=");
  if (equals < 1) throw wrong(`not a setting; got "${word}", expected columns or name=value`);
  return [word.slice(0, equals).trim(), word.slice(equals + 1).trim()];
}

function presetOf(name: string): Json {
  if (name === "default" || name === "paper") return auditorPreset(name);
  throw wrong(`no such preset; got "${name}", expected default or paper`);
}

function fileSettings(workspace: string): Json {
  const path = join(workspace, SIMULATION_FILE);
  const auditor = auditorIn(path);
  if (typeof auditor === "object" && auditor !== null && !Array.isArray(auditor))
    return structuredClone(auditor) as Json;
  throw damaged(`${path}: the settings of the auditor are missing; expected a JSON object with \`auditor\``);
}

function auditorIn(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw damaged(missing ? `${path}: there is no such file` : `${path}: cannot be read (${(cause as Error).message})`);
  }
  try {
    return (JSON.parse(text) as { auditor?: unknown } | null)?.auditor;
  } catch {
    throw damaged(`${path}: not JSON`);
  }
}

function damaged(message: string): InputError {
  return new InputError(
    "bad_simulation",
    message,
    "Make the world again with `defensible simulate`, put the file back, or name the auditor's settings: simulated:preset=default.",
  );
}

/** A copy of the settings with one value changed; missing levels on its path are filled from the defaults. */
function changed(settings: Json, path: readonly string[], text: string): Json {
  const whole = structuredClone({ ...simulatedAuditorSchema.parse({}), ...settings }) as Json;
  let place = whole as Json;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(place, step) ? place[step] : undefined;
    if (typeof next !== "object" || next === null) throw wrong(`unknown setting; got "${path.join(".")}"`);
    place = next as Json;
  }
  const last = path.at(-1)!;
  if (!Object.hasOwn(place, last)) throw wrong(`unknown setting; got "${path.join(".")}"`);
  const number = Number(text);
  place[last] = text === "" || Number.isNaN(number) ? text : number;
  return whole;
}

function wrong(message: string): InputError {
  return new InputError(
    "bad_simulated_auditor",
    `simulated auditor: ${message}`,
    "Write simulated, simulated:columns or simulated:bias=0.3,noise=0.5; docs/simulated-auditor.md has every setting.",
  );
}
