import { createHmac, hash, randomBytes } from "node:crypto";
import type { StoredCalibration } from "../../core/calibration.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import { type Gate, gateSchema } from "../../core/gate.js";
import type { Actions } from "../../core/records/actions.js";
import type { CaseFrame } from "../../core/records/case.js";
import { type RuleSet, ruleText } from "../../core/records/rule-set.js";
import { type CalibrationModel, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { compileCalibration } from "../../measures/calibration/compile-calibration.js";
import type { RouteAudit } from "../../measures/gate/route/input.js";
import { markedRules, type NeverAutomate, type RulesRead } from "../../measures/gate/route/never-automate.js";
import { reviewFraction } from "../../measures/gate/route/reasons.js";
import type { RouteCalibration } from "../../measures/gate/route/state.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import type { CalibrationStore, GateStore } from "../../store/ports.js";
import {
  carriedOver,
  type GateInForce,
  sealProblem,
  suspendedIn,
  withSuspensions,
} from "../../store/records/suspensions.js";
import type { ScoreProblem } from "../notices.js";

export interface LoadedGate {
  gate: Gate;
  /** Key that draws the standing random share. null: neither the file nor the workspace has one. */
  samplingKey: string | null;
}

/** A gate from elsewhere, such as a file named by the user. */
export interface ForeignGate {
  /** Name used in messages. */
  name: string;
  /** Changes whenever the gate changes. Takes microseconds. */
  mark(): string;
  text(): string;
}

/**
 * The active gate, or another; null: no gate is active. A gate that is unreadable, or was changed after it was written, is an error. Another
 * gate lifts no suspension, and one that is older than the active gate may only be used in shadow mode.
 */
export async function loadGate(
  store: GateStore,
  other: ForeignGate | undefined,
  shadow: boolean,
): Promise<LoadedGate | null> {
  const current = await inForceBeside(store, other !== undefined && shadow);
  if (other === undefined) return current && { gate: current.gate, samplingKey: current.sampling_key };
  const read = parseJson(other);
  const inForce = read as { gate?: unknown; sampling_key?: unknown } | null;
  // `gate` writes the gate itself; a copy of gate/current.json has it as a member.
  const parsed = gateSchema.safeParse(inForce?.gate ?? read);
  if (!parsed.success) throw notAGate(other.name);
  const standing = await store.standing();
  if (!shadow) {
    refuse(other.name, sealProblem(read as object) ?? ageProblem(parsed.data, [current?.gate, standing?.newest]));
  }
  const suspended = new Map([
    ...suspendedIn(parsed.data).suspended,
    ...(standing ? carriedOver(standing, parsed.data) : []),
    ...(current ? carriedOver(suspendedIn(current.gate), parsed.data) : []),
  ]);
  const own = inForce?.sampling_key;
  const samplingKey = typeof own === "string" && own !== "" ? own : (current?.sampling_key ?? null);
  return { gate: withSuspensions(parsed.data, suspended), samplingKey };
}

/** The active gate. In shadow mode nothing takes effect, so a damaged active gate need not prevent the use of another. */
async function inForceBeside(store: GateStore, tolerant: boolean): Promise<GateInForce | null> {
  try {
    return await store.active();
  } catch (cause) {
    if (tolerant && cause instanceof InputError) return null;
    throw cause;
  }
}

type Dated = { gate_id?: string | null | undefined; created_at?: string | null | undefined } | null | undefined;

/** Why a gate may not replace those activated before it, as a phrase that follows its name; null: it may. */
function ageProblem(gate: Gate, before: readonly Dated[]): string | null {
  for (const one of before) {
    if (!one || (one.gate_id && one.gate_id === gate.gate_id)) continue;
    if (Date.parse(gate.created_at ?? "") > Date.parse(one.created_at ?? "")) continue;
    return `is older than gate ${one.gate_id ?? "without an id"}, which came into force later`;
  }
  return null;
}

function refuse(file: string, problem: string | null): void {
  if (problem === null) return;
  throw new InputError(
    "bad_gate_file",
    `${file}: ${problem}`,
    "Make a new one, or route in shadow mode to see what it would do.",
  );
}

function parseJson(gate: ForeignGate): unknown {
  const text = gate.text();
  try {
    return JSON.parse(text);
  } catch {
    throw notAGate(gate.name);
  }
}

function notAGate(file: string): InputError {
  return new InputError("bad_gate_file", `${file}: not a gate`, "A gate is what the gate command writes as JSON.");
}

/** The number that decides whether a decision is reviewed anyway. Without a key, a temporary one is used for this process. */
export function fractionOf(samplingKey: string | null): (decisionId: string) => number {
  const hmac = hmacOf(samplingKey ?? randomBytes(32).toString("hex"));
  return (decisionId) => reviewFraction(hmac(decisionId));
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const SHORT_BYTES = 4096;

/**
 * HMAC-SHA256 under one key: H(key ⊕ opad, H(key ⊕ ipad, text)), the padded keys prepared once. Two plain hashes are faster than an HMAC
 * object. The next digest overwrites this one.
 */
function hmacOf(key: string): (text: string) => Uint8Array {
  const bytes = Buffer.from(key);
  const short = bytes.length > BLOCK_BYTES ? hash("sha256", bytes, "buffer") : bytes;
  const inner = Buffer.alloc(BLOCK_BYTES + SHORT_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  for (let i = 0; i < short.length; i++) {
    inner[i]! ^= short[i]!;
    outer[i]! ^= short[i]!;
  }
  const digest = Buffer.alloc(DIGEST_BYTES);
  return (text) => {
    // A text that may not fit into the buffer is hashed by an HMAC object.
    if (text.length * 3 > SHORT_BYTES) return createHmac("sha256", key).update(text).digest();
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES);
    outer.write(hash("sha256", inner.subarray(0, end), "binary"), BLOCK_BYTES, "binary");
    digest.write(hash("sha256", outer, "binary"), "binary");
    return digest;
  };
}

interface LoadedCalibration {
  calibration: RouteCalibration | null;
  /** Why there is no score. */
  problem: ScoreProblem | null;
}

/** The requested calibration, which must exist, or the one on which the gate's threshold was set. */
export async function loadCalibration(
  calibrations: CalibrationStore,
  gate: Gate | null,
  asked: string | undefined,
): Promise<LoadedCalibration> {
  if (asked !== undefined) return usable(await calibrations.read(asked));
  const wanted = gate?.selective?.calibration_id ?? null;
  if (wanted === null) return { calibration: null, problem: gate && { code: "none_named" } };
  try {
    const stored = await calibrations.read(wanted);
    const hash = gate?.selective?.calibration_hash;
    if (!hash || hash === stored.content_hash) return usable(stored);
    return { calibration: null, problem: { code: "other_calibration", calibration: wanted } };
  } catch (cause) {
    if (cause instanceof DefensibleError)
      return { calibration: null, problem: { code: "unreadable", message: cause.message } };
    throw cause;
  }
}

function usable(stored: StoredCalibration): LoadedCalibration {
  const { model, calibration_id, content_hash } = stored;
  if (content_hash === undefined) {
    return { calibration: null, problem: { code: "no_content_hash", calibration: calibration_id } };
  }
  if (!model || model.kind === "pds") {
    return { calibration: null, problem: { code: "no_probability", calibration: calibration_id } };
  }
  const compiled = compileCalibration(model as CalibrationModel);
  let known: RouteAudit | null = null;
  let fits = false;
  return {
    problem: null,
    calibration: {
      calibration_id,
      score: (row) => compiled.defensible(row),
      fits: (audit) => {
        // Audits of one stream nearly always have the same auditor.
        if (known === null || !areAlike(known, audit)) {
          fits = calibrationFits(stored, audit).length === 0;
          known = audit;
        }
        return fits;
      },
    },
  };
}

function areAlike(a: RouteAudit, b: RouteAudit): boolean {
  return (
    a.auditor === b.auditor &&
    a.auditor_version === b.auditor_version &&
    a.prompt_version === b.prompt_version &&
    a.template === b.template &&
    a.signal === b.signal &&
    (a.missing ?? null) === (b.missing ?? null)
  );
}

const REMEMBERED = 1000;

/** The rules that must never be applied without a person. */
export function neverAutomateOf(sets: readonly RuleSet[], actions: Actions): NeverAutomate {
  return markedRules(sets, readerOf(sets, actions));
}

/**
 * Reads the rules that a text names. An audit records only the first rule it cites, and the decider's `cited_rule` is free text. The frame
 * also has the unmarked rules: only with rule 1 known can `Rules 1 and 2` be read as naming rule 2.
 */
function readerOf(sets: readonly RuleSet[], actions: Actions): NeverAutomate["read"] {
  const known = new Map<string, { frame: CaseFrame; answers: Map<string, RulesRead> }>();
  return (community, text) => {
    let entry = known.get(community);
    if (!entry) {
      entry = { frame: wholeFrame(sets, community, actions), answers: new Map() };
      if (known.size >= REMEMBERED) known.clear();
      known.set(community, entry);
    }
    let answer = entry.answers.get(text);
    if (answer === undefined) {
      answer = rulesInText(text, entry.frame);
      if (entry.answers.size >= REMEMBERED) entry.answers.clear();
      entry.answers.set(text, answer);
    }
    return answer;
  };
}

/** The rules of the platform and of one community, in every version. */
function wholeFrame(sets: readonly RuleSet[], community: string, actions: Actions): CaseFrame {
  const rules = sets
    .filter((set) => set.scope === "platform" || set.community === community)
    .flatMap(({ scope, rules }) =>
      rules.map((rule) => ({ scope, id: rule.id, title: rule.title, text: ruleText(rule, "wiki"), kind: null })),
    );
  return { community, rulesetVersion: "", tier: "wiki", rules, precedents: [], actions };
}
