import { describe, expect, it } from "vitest";
import { createAuditor } from "../../auditors/create-auditor.js";
import { InputError } from "../../core/errors.js";
import { defensible } from "../../entry/library.js";
import type { Defensible } from "./defensible.js";
import { rulesFromMarkdown } from "./rules-from-markdown.js";

const RULES = rulesFromMarkdown("1. **No advertising.** Posts that sell something are removed.\n");

/** What plain JavaScript may pass. */
const any = (value: unknown) => value as never;
const open = (options: unknown) => defensible(any(options));
const inMemory = (more: object) => open({ auditor: "baseline", rules: RULES, ...more });

async function using(work: (d: Defensible) => unknown): Promise<void> {
  const d = await defensible({ auditor: "baseline", rules: RULES });
  try {
    await work(d);
  } finally {
    await d.close();
  }
}

const auditAll = (options: unknown) => using((d) => d.auditAll([], any(options)).next());
const gate = (options: unknown) => using((d) => d.gate([], any(options)));
const calibrate = (options: unknown) => using((d) => d.calibrate([], [], any(options)));
const rules = async (options: unknown) => rulesFromMarkdown("1. Be kind.", any(options));

describe("options of the library", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["defensible: got null, expected options", () => open(null)],
    ["defensible: got a list, expected options", () => open([])],
    ["defensible: unknown option rule", () => inMemory({ rule: 1 })],
    ["workspace: got 5, expected text", () => open({ workspace: 5 })],
    ["workspace: got null, expected text", () => open({ workspace: null })],
    ["auditor: got null, expected a name", () => inMemory({ auditor: null })],
    ["auditor: got 5, expected a name", () => inMemory({ auditor: 5 })],
    ["auditor: got an object, expected a name", () => inMemory({ auditor: {} })],
    ["model: got null, expected an object", () => inMemory({ model: null })],
    ['model: got "x", expected an object', () => inMemory({ model: "x" })],
    ["model: unknown option baseurl", () => inMemory({ model: { baseurl: "http://localhost" } })],
    ["model.baseUrl: got 5, expected text", () => inMemory({ model: { baseUrl: 5 } })],
    ["model.timeout: got -1, expected a number from 0.1 to 3600", () => inMemory({ model: { timeout: -1 } })],
    ['model.timeout: got "soon"', () => inMemory({ model: { timeout: "soon" } })],
    ["unknown option timeout", () => inMemory({ timeout: -1 })],
    ["model.context: got 1.5, expected a whole number from 512 on", () => inMemory({ model: { context: 1.5 } })],
    ["seed: got 1.5, expected a whole number from 0 on", () => inMemory({ seed: 1.5 })],
    ["samples: got 2.5, expected a whole number from 2 to 1000", () => inMemory({ samples: 2.5 })],
    ["temperature: got 3, expected a number from 0 to 2", () => inMemory({ temperature: 3 })],
    ['shadow: got "yes", expected true or false', () => open({ workspace: ".", shadow: "yes" })],
    ["shadow: needs a workspace", () => inMemory({ shadow: true })],
    ["rules[0]: is missing", () => inMemory({ rules: null })],
    ["rules[0]", () => inMemory({ rules: { set: 1, unread: 5 } })],
    ["auditAll: got null, expected options", () => auditAll(null)],
    ["auditAll: unknown option max_cost", () => auditAll({ max_cost: 0.0001 })],
    ["auditAll.maxCost: got NaN", () => auditAll({ maxCost: Number.NaN })],
    ["auditAll.statedReasons: needs a workspace", () => auditAll({ statedReasons: true })],
    ["auditAll.concurrency: got 1.5, expected a whole number from 1 to 1024", () => auditAll({ concurrency: 1.5 })],
    ["gate: got null, expected options", () => gate(null)],
    ["gate: unknown option dii", () => gate({ dii: 0.9 })],
    ["gate: unknown option since", () => gate({ since: "2026-01-01" })],
    ["gate.di: got 2", () => gate({ di: 2 })],
    ['gate.look: got "twice", expected once, anytime', () => gate({ look: "twice" })],
    ["calibrate: got null, expected options", () => calibrate(null)],
    ["calibrate: unknown option mehod", () => calibrate({ mehod: "platt" })],
    ['calibrate.method: got "zzz", expected auto, paper, raw', () => calibrate({ method: "zzz" })],
    ['calibrate.component: got "zzz", expected h_w, h_kappa', () => calibrate({ component: "zzz" })],
    ['calibrate.target: got "zzz", expected auto, human, gold', () => calibrate({ target: "zzz" })],
    ["calibrate.name: got 5, expected text", () => calibrate({ name: 5 })],
    ["calibrate.seed: got 1.5, expected a whole number", () => calibrate({ seed: 1.5 })],
    ["calibrate.draws: got 20.5, expected a whole number from 20", () => calibrate({ draws: 20.5 })],
    ["calibrate.holdout: got 1, expected a number from 0.01 to 0.9", () => calibrate({ holdout: 1 })],
    ["rulesFromMarkdown: got null, expected options", () => rules(null)],
    ["rulesFromMarkdown: unknown option comunity", () => rules({ comunity: "boats" })],
    ["rulesFromMarkdown.community: got 5, expected text", () => rules({ community: 5 })],
    ["rulesFromMarkdown.version: got 5, expected text", () => rules({ version: 5 })],
    ['auditor: unknown; got "undefined"', () => createAuditor(any(undefined))],
    ['auditor: unknown; got "null"', () => createAuditor(any(null))],
  ])("%s", async (message, call) => {
    const failure = await call().then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(failure).toBeInstanceOf(InputError);
    expect((failure as InputError).message).toContain(message);
  });

  it.each([
    ["unknown_auditor", "`auditor`", { auditor: "gpt" }],
    ["no_base_url", "`baseUrl`", { auditor: "openai-compatible:x" }],
    ["bad_base_url", "`baseUrl`", { auditor: "openai-compatible:x", model: { baseUrl: "there" } }],
  ])("names options, and no flags of the command line, in the remedy of %s", async (code, option, options) => {
    const failure = await inMemory(options).catch((cause: InputError) => cause);
    expect(failure).toMatchObject({ code, remedy: expect.stringContaining(option) });
    expect((failure as InputError).remedy).not.toContain("--");
  });

  it("leaves out what is undefined", () =>
    using(async (d) => {
      await d.auditAll([], { maxCost: undefined } as never).next();
      await (await inMemory({ shadow: undefined, model: { baseUrl: undefined } })).close();
    }));
});
