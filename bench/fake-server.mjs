// A chat-completions server for measuring clients: bodies are made once and sent as they are, so that it is never the slow side.
//   node bench/fake-server.mjs [--tokens 200] [--top 20] [--bodies 8] [--latency 200] [--jitter 0.2] [--pretty]
// The first line it prints is its port. GET /stats tells how many it answered and how many were open at once; it ends with its parent.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const WORDS =
  "the post links to a shop and rule R3 forbids links to shops while no precedent allows this one so the decision follows from it".split(
    " ",
  );
const LABELS = {
  precedent_weight: ["High", "Medium", "Low"],
  inverse_check: ["Yes", "No"],
  defensibility_level: ["1", "2", "3"],
};

function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Pieces of a text as o200k splits it; all of it is ASCII, so that each piece is text. */
const piecesOf = (text) => encode(text).map((id) => ranks[id]);

/** Common tokens that print. */
const COMMON = ranks.slice(256, 6000).filter((piece) => typeof piece === "string" && /^[\x20-\x7e]+$/.test(piece));

/** Without words, the shortest answer there is: 40 kB with 20 candidates. */
function trace(words, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chain = Array.from({ length: words }, () => pick(WORDS)).join(" ");
  return JSON.stringify({
    logic_chain: words === 0 ? "It" : `The rule says: ${chain}.`,
    policy_citation: words === 0 ? "R3" : "community rule R3: links to shops",
    precedent_weight: pick(LABELS.precedent_weight),
    inverse_check: pick(LABELS.inverse_check),
    defensibility_level: Number(pick(LABELS.defensibility_level)),
  });
}

/** One whole chat completion of so many tokens with so many candidates each, as bytes. */
export function makeBody({ tokens = 200, top = 20, seed = 1, pretty = false } = {}) {
  const random = randomFrom(seed);
  let words = 0;
  let text = trace(words, randomFrom(seed));
  while (piecesOf(text).length < tokens) text = trace(++words, randomFrom(seed));
  const content = piecesOf(text).map((piece) => position(piece, top, random));
  const body = {
    id: `chatcmpl-bench${seed}`,
    object: "chat.completion",
    created: 1763200000,
    model: "gpt-4.1-mini-2025-04-14",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null, annotations: [] },
        logprobs: { content, refusal: null },
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: 1200,
      completion_tokens: content.length,
      total_tokens: 1200 + content.length,
      prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    service_tier: "default",
    system_fingerprint: "fp_bench",
  };
  return Buffer.from(JSON.stringify(body, null, pretty ? 2 : 0));
}

function position(piece, top, random) {
  const labels = Object.values(LABELS).find((list) => list.includes(piece)) ?? [];
  const texts = new Set([piece, ...labels]);
  while (texts.size < Math.max(top, 1)) texts.add(COMMON[Math.floor(random() * COMMON.length)]);
  const weights = [...texts].map((_, i) => (i === 0 ? 4 + 6 * random() : Math.exp(-1 - 0.4 * i - 2 * random())));
  const total = weights.reduce((sum, weight) => sum + weight, 0) * 1.002;
  const list = [...texts]
    .map((token, i) => ({
      token,
      logprob: Number(Math.log(weights[i] / total).toPrecision(8)),
      bytes: [...Buffer.from(token)],
    }))
    .sort((a, b) => b.logprob - a.logprob);
  return { ...list.find(({ token }) => token === piece), top_logprobs: list.slice(0, top) };
}

const MODELS = Buffer.from(
  JSON.stringify({
    object: "list",
    data: [{ id: "gpt-4.1-mini", object: "model", created: 1763200000, owned_by: "system" }],
  }),
);

/** Answers every POST with the next of its bodies, at once or after the latency. */
export async function startFastServer({ bodies, latencyMs = 0, jitter = 0.2, seed = 1 }) {
  const random = randomFrom(seed);
  const stats = { answered: 0, open: 0, most_open: 0, bytes: bodies[0].length };
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== "POST") {
      const body = request.url === "/stats" ? Buffer.from(JSON.stringify(stats)) : MODELS;
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
      return;
    }
    stats.open++;
    stats.most_open = Math.max(stats.most_open, stats.open);
    const answer = () => {
      const body = bodies[stats.answered++ % bodies.length];
      stats.open--;
      response
        .writeHead(200, {
          "content-type": "application/json",
          "content-length": body.length,
          "x-request-id": "req_bench",
        })
        .end(body);
    };
    request.once("end", () => {
      if (latencyMs > 0) setTimeout(answer, latencyMs * (1 + jitter * (2 * random() - 1)));
      else answer();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, stats, port: server.address().port };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const option = (name, fallback) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? fallback : Number(process.argv[at + 1]);
  };
  const shape = { tokens: option("tokens", 200), top: option("top", 20), pretty: process.argv.includes("--pretty") };
  const count = option("bodies", 8);
  const bodies = Array.from({ length: count }, (_, i) => makeBody({ ...shape, seed: i + 1 }));
  const { port } = await startFastServer({ bodies, latencyMs: option("latency", 0), jitter: option("jitter", 0.2) });
  console.log(port);
  // Whoever started it holds its input open; when that ends, so does this.
  process.stdin.on("end", () => process.exit(0)).resume();
}
