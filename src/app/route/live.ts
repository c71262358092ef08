import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { Frames, PrecedentShelves } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import type { GateMode } from "../../core/gate.js";
import { isJson } from "../../core/is-json.js";
import type { ReadHashes } from "../../core/records/audit.js";
import type { Precedent } from "../../core/records/decision.js";
import { type RuleSet, TIERS, type Tier } from "../../core/records/rule-set.js";
import { fileError } from "../../io/files.js";
import { VERSION } from "../../io/package-file.js";
import type { NeverAutomate } from "../../measures/gate/route/never-automate.js";
import { DEFAULT_REVIEW_SHARE } from "../../measures/gate/route/review-sample.js";
import { prepareGate, type RouteState } from "../../measures/gate/route/state.js";
import { FIRST_LABELS } from "../../measures/metrics/label-sample.js";
import { listCalibrations } from "../../store/files/calibration-store.js";
import { gatePaths } from "../../store/files/gate-files.js";
import { readClosure } from "../../store/files/gate-switch.js";
import { readHasher } from "../../store/files/read-hash.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import { fractionOf, type LoadedGate, loadCalibration, loadGate } from "./gate.js";
import { neverAutomateOf, rulesFingerprint } from "./rules.js";

interface LiveOptions {
  /** A gate file instead of the gate in force. */
  gate?: string | undefined;
  calibration?: string | undefined;
  mode?: GateMode | undefined;
  reviewShare?: number | undefined;
  shadow: boolean;
  force: boolean;
  /** Told what a person should know: that gates are closed, that there is no calibration. */
  say: (message: string) => void;
}

/** Reading hundreds of rule files' dates takes milliseconds, the gate's and the kill switch's take microseconds. */
const RULES_MS = 1000;

/** What routing follows, kept up to date: a closed gate, a new gate or a newly marked rule holds for the next batch of a stream. */
export class LiveState {
  private state: RouteState | null = null;
  private gateMark = "";
  private closedMark = "";
  private rulesMark: string;
  private rulesLooked = performance.now();
  private closed = false;
  /** It cannot be read who is suspended. */
  private stateLost = false;
  private neverAutomate: NeverAutomate;
  private reading: RouteState["reading"];
  /** Files that say which gate is followed, and who is suspended. */
  private readonly gateFiles: readonly string[];
  private readonly closedFile: string;

  constructor(
    private readonly workspace: Workspace,
    private readonly options: LiveOptions,
  ) {
    const paths = gatePaths(workspace);
    this.gateFiles = [paths.current, paths.state, ...(options.gate === undefined ? [] : [options.gate])];
    this.closedFile = paths.closed;
    this.rulesMark = rulesFingerprint(workspace);
    [this.neverAutomate, this.reading] = readRules(workspace);
  }

  /** The state of this moment. Throws where the gate, or a rule file, cannot be understood: nothing is routed without them. */
  current(): RouteState {
    const closed = this.lookAtSwitch();
    const rules = this.lookAtRules();
    const gate = this.lookAtGate();
    if (this.state && !closed && !rules && !gate) return this.state;
    const base = gate || !this.state ? this.load() : this.state;
    const { neverAutomate, reading } = this;
    this.state = { ...base, closed: this.closed || this.stateLost, neverAutomate, reading };
    return this.state;
  }

  private lookAtSwitch(): boolean {
    const mark = markOf(this.closedFile);
    if (mark === this.closedMark) return false;
    this.closedMark = mark;
    const closure = mark === ABSENT ? null : readClosure(this.workspace);
    if (closure) {
      this.options.say(
        `The gates are closed since ${closure.since}: ${closure.reason}. Everything goes to review; \`defensible gate --open\` opens them.`,
      );
    } else if (this.closed) this.options.say("The gates are open again.");
    this.closed = closure !== null;
    return true;
  }

  private lookAtGate(): boolean {
    const mark = this.gateFiles.map(markOf).join();
    if (mark === this.gateMark) return false;
    this.gateMark = mark;
    return true;
  }

  private lookAtRules(): boolean {
    const now = performance.now();
    if (now - this.rulesLooked < RULES_MS) return false;
    this.rulesLooked = now;
    const mark = rulesFingerprint(this.workspace);
    if (mark === this.rulesMark) return false;
    this.rulesMark = mark;
    [this.neverAutomate, this.reading] = readRules(this.workspace);
    return true;
  }

  /** Where it cannot be told who is suspended, every gate is as good as closed. */
  private loadGate(): LoadedGate | null {
    this.stateLost = false;
    try {
      return loadGate(this.workspace, this.options.gate, this.options.shadow);
    } catch (cause) {
      if (!(cause instanceof InputError) || cause.code !== "bad_gate_state") throw cause;
      this.stateLost = true;
      this.options.say(`${cause.message}. Everything goes to review. ${cause.remedy}`);
      return null;
    }
  }

  /** Without labels nothing calibrates a score, and each command that lacks one would name the next. */
  private remedy(next: string, calibrated = false): string {
    if (calibrated || existsSync(this.workspace.paths.labels)) return next;
    return `${FIRST_LABELS} Then \`defensible calibrate\` and \`defensible gate\`.`;
  }

  private load(): RouteState {
    const { options, workspace } = this;
    const loaded = this.loadGate();
    const gate = loaded?.gate ?? null;
    const { calibration, problem } = loadCalibration(workspace, gate, options.calibration);
    const withoutScore = options.mode === "paper";
    const share = options.reviewShare ?? gate?.review_share ?? DEFAULT_REVIEW_SHARE;
    if (!gate && !this.stateLost)
      options.say(
        `No gate is in force, so everything goes to review. ${this.remedy("`defensible gate` makes one.", listCalibrations(workspace).length > 0)}`,
      );
    else if (withoutScore) options.say(PAPER);
    else if (problem)
      options.say(`No calibrated score: ${problem}. ${this.remedy("`defensible calibrate` makes a calibration.")}`);
    if (gate && options.mode === "certified" && gate.mode !== "certified") {
      options.say(
        `Mode certified: the gate was made in mode ${gate.mode} and certifies no community, so everything goes to review. Make a gate with \`defensible gate --mode certified\`.`,
      );
    }
    if (gate && options.mode && options.mode !== gate.mode && !withoutScore) {
      options.say(
        `Mode ${options.mode}: the gate's thresholds were set on what passes in mode ${gate.mode}, and hold for that.`,
      );
    }
    if (gate && loaded?.samplingKey === null && share > 0) {
      options.say("The gate has no sampling key: which decisions the random share takes differs from call to call.");
    }
    return {
      gate: gate && prepareGate(gate),
      mode: options.mode ?? gate?.mode ?? "shrunk",
      withoutScore,
      closed: this.closed || this.stateLost,
      actions: workspace.config.actions,
      calibration,
      force: options.force,
      shadow: options.shadow,
      reviewShare: share,
      fraction: fractionOf(loaded?.samplingKey ?? null),
      neverAutomate: this.neverAutomate,
      reading: this.reading,
      software: VERSION,
    };
  }
}

/** What routing needs of the rules. Their files are read once for both. */
function readRules(workspace: Workspace): [NeverAutomate, RouteState["reading"]] {
  const sets = loadRuleSets(workspace).map(({ set }) => set);
  return [neverAutomateOf(sets, workspace.config.actions), readingOf(workspace, sets)];
}

const PAPER =
  "Mode paper: every decision of a community that passes is automated, without a score and whatever its own audit says, as in the paper. Nothing is promised, neither about a community nor about a decision. The kill switch, suspensions, rules that are never automated, unseen media, flags and appeals hold.";

const ABSENT = "absent";

/** What changes when a file is replaced, edited, made or removed. One that cannot be looked at is not absent: it is read, and that fails or closes. */
function markOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) return `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
    return lstatSync(path, { throwIfNoEntry: false }) ? "a link to nothing" : ABSENT;
  } catch (cause) {
    return `unreadable ${(cause as NodeJS.ErrnoException).code}`;
  }
}

/** What an audit would read now, hashed as audits have it. Without the workspace's key nothing can be compared, and no hash fits. */
function readingOf(workspace: Workspace, sets: readonly RuleSet[]): RouteState["reading"] {
  if (!existsSync(workspace.paths.contentKey)) return () => null;
  const hasher = readHasher(workspace);
  const book = new RuleBook(sets);
  const shelves = new PrecedentShelves(precedentsOf(workspace));
  const frames = new Map(TIERS.map((tier) => [tier, new Frames(shelves, tier, workspace.config.actions)]));
  // Two hashes for each community and version, where the frames themselves would not fit into memory.
  const known = new Map<string, Omit<ReadHashes, "content">>();
  return (decision, tier) => {
    const ofTier = frames.get(tier as Tier);
    if (!ofTier) return null;
    const { community } = decision;
    const version = book.isFixed(community) ? "" : book.inForce(decision).version;
    const key = `${tier}\0${version}\0${community}`;
    let hashes = known.get(key);
    if (!hashes) {
      hashes = hasher.frame(ofTier.of(community, book.inForce(decision)).frame);
      known.set(key, hashes);
    }
    return { content: hasher.content(decision.content), rules: hashes.rules, precedents: hashes.precedents };
  };
}

/** The precedents at once: routing looks at them between two lines of a stream. A torn last line is being written, or was. */
function precedentsOf({ paths }: Workspace): Precedent[] {
  if (!existsSync(paths.precedents)) return [];
  let lines: string[];
  try {
    lines = readFileSync(paths.precedents, "utf8").split("\n");
  } catch (cause) {
    throw fileError(cause, paths.precedents);
  }
  const torn = lines.pop();
  const whole = torn && isJson(torn) ? [...lines, torn] : lines;
  return whole.flatMap((line, i): Precedent[] => {
    if (line.trim() === "") return [];
    if (isJson(line)) return [JSON.parse(line)];
    throw new InputError("bad_line", `${paths.precedents}, line ${i + 1}: not JSON`, "Fix or remove this line.");
  });
}
