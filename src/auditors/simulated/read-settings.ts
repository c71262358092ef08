import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { SIMULATION_FILE } from "../../core/names.js";
import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { auditorPreset } from "../../simulation/auditor/paper-auditor.js";

interface SimulatedSettings {
  /** Signals are given as columns, without tokens. */
  columns: boolean;
  settings: SimulatedAuditor;
}

type Json = Record<string, unknown>;

/**
 * The settings of `simulated:<text>`: the workspace's `simulation.json`, and over them what the name says, `columns,bias=0.3,lean.most=0.5`. The
 * file must be there and whole, unless the name says `preset=…`: an auditor with other errors than the world's would pass for it unseen.
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

/** The same settings with one value changed; what lies on the way to it is filled from the defaults. */
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
