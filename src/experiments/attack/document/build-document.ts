import { type Block, type Document, table } from "../../../present/document/document.js";
import { KIND_WORDS } from "../../../present/words/experiment-words.js";
import { percent, plural, whole } from "../../../present/words/numbers.js";
import { printable } from "../../../text/printable.js";
import type { AttackBuild } from "../build/build-attacks.js";
import { ATTACK_KINDS } from "../result.js";

/** What `attack build` made, of what, and what it could not make. */
export function buildDocument(build: AttackBuild, file: string): Document {
  const attacks = build.cases.filter((one) => one.kind !== "clean").length;
  return {
    title: "Attack set",
    subtitle: `${plural(attacks, "attack")} and ${plural(build.made.clean, "clean case")} from run ${printable(build.run_id, 60)}, seed ${build.seed}, in ${printable(file, 120)}`,
    blocks: [...poolBlocks(build), ...countBlocks(build), ...manner(build)],
  };
}

function poolBlocks({ pool, factor, forbidden_factor: narrow }: AttackBuild): Block[] {
  const known =
    pool.known === 0
      ? "Nothing says what is true of these decisions, so that an auditor's verdict decides: clean is a verdict of level 1 or 2 with a citation that was found in the rules, and attacks are made of verdicts of level 1 whose opposite is not defensible. Clean cases chosen in this way are those that the auditor finds easy: false alarms of that auditor's own probabilities on them come out too low, and detections of what was made of them too high."
      : `For ${whole(pool.known)} of ${plural(pool.verdicts, "verdict")} truth or gold says what the rules say, and there it alone decides: clean is level 1 or 2, and attacks are made of level 1 without a defensible opposite. ${whole(pool.open)} are left open by the rules, so that turning them would be no attack; ${whole(pool.indefensible)} are indefensible already and are left out.`;
  const scaled =
    factor < 1
      ? [
          {
            kind: "text" as const,
            text: `The pool is smaller than what was asked for: all numbers were scaled down to ${percent(factor)}, so that the mix stays. Each decision is used once, as a clean case or as the base of one attack on the input.`,
          },
        ]
      : [];
  const further =
    narrow < 1
      ? [
          {
            kind: "text" as const,
            text: `Attacks that need forbidden content (penumbra, precedence, language, injection) were scaled further, to ${percent(narrow)} of that: the pool has too little of it.`,
          },
        ]
      : [];
  return [
    { kind: "heading", text: "What it was made of" },
    { kind: "text", text: known },
    {
      kind: "text",
      text: `Pool: ${plural(pool.clean, "decision")} for clean cases, ${whole(pool.settled)} of them settled by the rules (${whole(pool.forbidden)} where the restricting action is right).`,
    },
    ...scaled,
    ...further,
  ];
}

function countBlocks({ asked, scaled, made, cases }: AttackBuild): Block[] {
  const trace = (kind: string) => cases.filter((one) => one.kind === kind && one.target === "trace").length;
  const short = ATTACK_KINDS.filter((kind) => made[kind] < scaled[kind]);
  return [
    { kind: "heading", text: "Cases" },
    table(
      ["kind", ">asked", ">scaled", ">made", ">of these on the trace"],
      ATTACK_KINDS.filter((kind) => asked[kind] > 0).map((kind) => [
        KIND_WORDS[kind],
        whole(asked[kind]),
        whole(scaled[kind]),
        whole(made[kind]),
        whole(trace(kind)),
      ]),
    ),
    ...(short.length > 0
      ? [
          {
            kind: "text" as const,
            text: `Fewer than planned of: ${short.map((kind) => KIND_WORDS[kind]).join(", ")}. The pool has no more decisions that lend themselves to it (a rule of the platform, content in English, a sentence that can be turned).`,
          },
        ]
      : []),
  ];
}

function manner({ cases }: AttackBuild): Block[] {
  const counts = new Map<string, number>();
  for (const one of cases) {
    if (one.kind === "clean") continue;
    const key = `${KIND_WORDS[one.kind]}\u0000${one.archetype}\u0000${one.target}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [
    { kind: "heading", text: "Manners of attack" },
    table(
      ["kind", "manner", "changes the", ">cases"],
      [...counts].sort().map(([key, n]) => [...key.split("\u0000"), whole(n)]),
    ),
    {
      kind: "text",
      text: "Paraphrases and translations are made by tables of words, without a model: they show what changes when the words change, not how a person would put it. Bring your own cases for that: the format of the file is in docs/attack.md.",
    },
  ];
}
