import { Frames, PrecedentShelves } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import type { GateMode } from "../../core/gate.js";
import type { ReadHashes } from "../../core/records/audit.js";
import type { Precedent } from "../../core/records/decision.js";
import { type RuleSet, TIERS, type Tier } from "../../core/records/rule-set.js";
import { VERSION } from "../../io/machine.js";
import type { NeverAutomate } from "../../measures/gate/route/never-automate.js";
import { DEFAULT_REVIEW_SHARE } from "../../measures/gate/route/reasons.js";
import { prepareGate, type RouteState } from "../../measures/gate/route/state.js";
import type { Context } from "../../store/context.js";
import type { Awaitable } from "../../store/ports.js";
import type { Notice } from "../notices.js";
import { type ForeignGate, fractionOf, type LoadedGate, loadCalibration, loadGate, neverAutomateOf } from "./gate.js";

interface LiveOptions {
  /** Used instead of the active gate. */
  gate?: ForeignGate | undefined;
  calibration?: string | undefined;
  mode?: GateMode | undefined;
  reviewShare?: number | undefined;
  /** Ids that came with different contents: none of these decisions is automated. */
  contested?: ReadonlySet<string> | undefined;
  shadow: boolean;
  force: boolean;
  /** Receives notices for the user: gates are closed, there is no calibration. */
  notice: (notice: Notice) => void;
}

type LiveStores = Pick<Context, "gate" | "calibrations" | "records" | "labels" | "config" | "findHasher">;

/** Checking hundreds of rules for changes takes milliseconds; checking the gate and the kill switch, microseconds. */
const RULES_MS = 1000;

/** Marks of everything the state was made from. */
interface Marks {
  gate: string;
  closure: string;
  rules: string;
}

/** The state that routing follows, kept current: a closed gate, a new gate or a newly marked rule applies from the next batch of a stream. */
export class LiveState {
  private state: RouteState | null = null;
  private marks: Marks | null = null;
  private rulesLooked = Number.NEGATIVE_INFINITY;
  private updating: Promise<RouteState> | null = null;
  private closed = false;
  /** It is unreadable which communities are suspended. */
  private stateLost = false;

  constructor(
    private readonly stores: LiveStores,
    private readonly options: LiveOptions,
  ) {}

  /**
   * The current state; a promise only if something has changed. Fails if the gate or a rule is unreadable: nothing is routed without them.
   */
  current(): RouteState | Promise<RouteState> {
    // A call during an update must not get the previous state.
    if (this.updating) return this.updating.then(() => this.current());
    const now = this.look();
    if (!(now instanceof Promise)) return this.at(now);
    this.updating = now
      .then((marks) => this.at(marks))
      .finally(() => {
        this.updating = null;
      });
    return this.updating;
  }

  private at(now: Marks): RouteState | Promise<RouteState> {
    const { marks } = this;
    const same = marks?.gate === now.gate && marks.closure === now.closure && marks.rules === now.rules;
    if (this.state && same) return this.state;
    this.updating = this.update(now).finally(() => {
      this.updating = null;
    });
    return this.updating;
  }

  private look(): Awaitable<Marks> {
    const at = performance.now();
    const known = at - this.rulesLooked < RULES_MS ? this.marks?.rules : undefined;
    if (known === undefined) this.rulesLooked = at;
    const gate = this.stores.gate.marks();
    const rules = known ?? this.stores.records.rulesMark();
    if (!(gate instanceof Promise) && typeof rules === "string") return this.marksOf(gate, rules);
    return Promise.all([gate, rules]).then(([gate, rules]) => this.marksOf(gate, rules));
  }

  private marksOf({ gate, closure }: { gate: string; closure: string }, rules: string): Marks {
    const { gate: other } = this.options;
    return { gate: other ? `${gate},${other.mark()}` : gate, closure, rules };
  }

  /** The marks are taken over only if everything could be read. */
  private async update(now: Marks): Promise<RouteState> {
    const { marks, state } = this;
    if (marks?.closure !== now.closure) await this.readSwitch();
    const { neverAutomate, reading } = state && marks?.rules === now.rules ? state : await this.readRules();
    const base = state && marks?.gate === now.gate ? state : await this.load();
    this.state = { ...base, closed: this.closed || this.stateLost, neverAutomate, reading };
    this.marks = now;
    return this.state;
  }

  private async readSwitch(): Promise<void> {
    const closure = await this.stores.gate.closure();
    if (closure) this.options.notice({ code: "gates_closed", since: closure.since, reason: closure.reason });
    else if (this.closed) this.options.notice({ code: "gates_open_again" });
    this.closed = closure !== null;
  }

  /** If it is unknown which communities are suspended, every gate is treated as closed. */
  private async loadGate(): Promise<LoadedGate | null> {
    this.stateLost = false;
    try {
      return await loadGate(this.stores.gate, this.options.gate, this.options.shadow);
    } catch (cause) {
      if (!(cause instanceof InputError) || cause.code !== "bad_gate_state") throw cause;
      this.stateLost = true;
      this.options.notice({ code: "suspensions_lost", message: cause.message, remedy: cause.remedy ?? "" });
      return null;
    }
  }

  private async isLabelled(): Promise<boolean> {
    return (await this.stores.labels.snapshot()) !== null;
  }

  private async load(): Promise<Omit<RouteState, "closed" | "neverAutomate" | "reading">> {
    const { options, stores } = this;
    const loaded = await this.loadGate();
    const gate = loaded?.gate ?? null;
    const { calibration, problem } = await loadCalibration(stores.calibrations, gate, options.calibration);
    const withoutScore = options.mode === "paper";
    const mode = options.mode ?? gate?.mode ?? "shrunk";
    const share = options.reviewShare ?? gate?.review_share ?? DEFAULT_REVIEW_SHARE;
    if (!gate && !this.stateLost) {
      const calibrated = (await stores.calibrations.list()).length > 0;
      options.notice({ code: "no_gate", next: calibrated || (await this.isLabelled()) ? "gate" : "labels" });
    } else if (gate && !gate.communities.some(({ passes }) => passes[mode])) {
      options.notice({ code: "nothing_passes", mode });
    } else if (withoutScore) options.notice({ code: "paper_mode" });
    else if (problem) {
      const run = gate?.run?.run_id ?? null;
      options.notice({ code: "no_score", problem, next: (await this.isLabelled()) ? "calibrate" : "labels", run });
    }
    if (gate && options.mode === "certified" && gate.mode !== "certified") {
      options.notice({ code: "nothing_certified", gateMode: gate.mode });
    }
    if (gate && options.mode && options.mode !== gate.mode && !withoutScore) {
      options.notice({ code: "other_mode", mode: options.mode, gateMode: gate.mode });
    }
    if (gate && loaded?.samplingKey === null && share > 0) options.notice({ code: "no_sampling_key" });
    return {
      gate: gate && prepareGate(gate),
      mode,
      withoutScore,
      actions: stores.config.actions,
      calibration,
      force: options.force,
      shadow: options.shadow,
      contested: options.contested,
      reviewShare: share,
      fraction: fractionOf(loaded?.samplingKey ?? null),
      software: VERSION,
    };
  }

  /** What routing needs from the rules, which are read once for both parts. */
  private async readRules(): Promise<{ neverAutomate: NeverAutomate; reading: RouteState["reading"] }> {
    const { records, config } = this.stores;
    const sets = (await records.rules()).map(({ set }) => set);
    return { neverAutomate: neverAutomateOf(sets, config.actions), reading: await this.readingOf(sets) };
  }

  /** What an audit would read now, hashed as in audits. Without the key nothing can be compared, and no hash matches. */
  private async readingOf(sets: readonly RuleSet[]): Promise<RouteState["reading"]> {
    const { records, config } = this.stores;
    const hasher = await this.stores.findHasher();
    if (!hasher) return () => null;
    const book = new RuleBook(sets);
    const precedents: Precedent[] = [];
    for await (const batch of records.precedents()) for (const one of batch) precedents.push(one);
    const shelves = new PrecedentShelves(precedents);
    const frames = new Map(TIERS.map((tier) => [tier, new Frames(shelves, tier, config.actions)]));
    // Two hashes per community and version, because the frames themselves would not fit into memory.
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
}
