import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";

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
  const sample = readFileSync(new URL("../examples/commons/decisions.jsonl", import.meta.url), "utf8")
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

/** Audits with the minimal and the signal columns, in 400 communities. */
export async function makeAuditsCsv(path, rows, seed = 11) {
  const next = random(seed);
  const head =
    "decision_id,community,decision,human_label,level,inverse,p_defensible,inverse_yes_prob,lambda_nats,h_weight_bits,h_citation_bits,pds\n";
  await write(path, rows, (i) => {
    const decision = next() < 0.4 ? "remove" : "approve";
    const human = next() < 0.8 ? decision : decision === "remove" ? "approve" : "remove";
    const level = next() < 0.75 ? 1 : next() < 0.6 ? 2 : 3;
    const inverse = next() < [0.03, 0.6, 0.88][level - 1];
    const number = () => next().toFixed(6);
    const text = `d${i},c${Math.floor(next() * 400)},${decision},${human},${level},${inverse},${number()},${number()},-${number()},${number()},${number()},${number()}\n`;
    return i === 0 ? head + text : text;
  });
}
