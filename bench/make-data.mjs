import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";

/** Small seeded generator: the data of a benchmark must be the same everywhere. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function write(path, rows, line) {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  for (let i = 0; i < rows; i++) if (!file.write(line(i))) await once(file, "drain");
  file.end();
  await once(file, "finish");
}

/** Decisions of about 300 characters, put together from sentences of the sample, in the sample's communities. */
export async function makeDecisions(path, rows, seed = 7) {
  const sample = readFileSync(new URL("../examples/commons-hard/decisions.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const sentences = new Map();
  for (const { community, content } of sample) {
    const text = typeof content === "string" ? content : `${content.title ?? ""}. ${content.body}`;
    const known = sentences.get(community) ?? [];
    known.push(...text.split(/(?<=[.!?])\s+|\n+/).filter((part) => part.length > 10));
    sentences.set(community, known);
  }
  const communities = [...sentences.keys()];
  let characters = 0;
  await write(path, rows, (i) => {
    const community = pick(communities);
    let body = pick(sentences.get(community));
    while (body.length < 250) body += ` ${pick(sentences.get(community))}`;
    body = body.slice(0, 340);
    characters += body.length;
    const decision = next() < 0.5 ? "remove" : "approve";
    const human_label = next() < 0.7 ? decision : decision === "remove" ? "approve" : "remove";
    return `${JSON.stringify({ id: `b${String(i).padStart(7, "0")}`, community, content: body, decision, human_label })}\n`;
  });
  return characters / rows;
}

/** Audits with the minimal and the signal columns as `defensible export` writes them (numbers in full), in 400 communities. */
export async function makeAuditsCsv(path, rows, seed = 11) {
  const next = random(seed);
  const head =
    "decision_id,community,decision,human_label,level,inverse,level_map,lambda_nats,h_weight_bits,h_citation_bits,citation_tokens,inverse_log_odds,inverse_yes_prob,pds,p_defensible,tail_mass\n";
  await write(path, rows, (i) => {
    const decision = next() < 0.4 ? "remove" : "approve";
    const human = next() < 0.8 ? decision : decision === "remove" ? "approve" : "remove";
    const level = next() < 0.75 ? 1 : next() < 0.6 ? 2 : 3;
    const inverse = next() < [0.03, 0.6, 0.88][level - 1];
    const odds = Math.log(next() / next());
    const confidence = 1 - next() * 0.3;
    const values = [
      `d${i}`,
      `c${Math.floor(next() * 400)}`,
      decision,
      human,
      level,
      inverse,
      level,
      Math.log(confidence),
      next() * 1.5,
      next() / 3,
      10 + Math.floor(next() * 30),
      odds,
      1 / (1 + Math.exp(-odds)),
      Math.exp(-next()),
      level === 3 ? 1 - confidence : confidence,
      next() / 100,
    ];
    return `${i === 0 ? head : ""}${values.join(",")}\n`;
  });
}
