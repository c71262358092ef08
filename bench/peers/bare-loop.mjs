// The reference: undici requests in a loop, so many in flight, each answer parsed with JSON.parse and dropped.
//   node bench/peers/bare-loop.mjs PORT REQUESTS IN_FLIGHT
import { Agent, request } from "undici";

const [port, requests, width] = process.argv.slice(2).map(Number);
const agent = new Agent({ connections: width, pipelining: 1 });
const prompt = "community rule R3: no links to shops. ".repeat(120);
const body = JSON.stringify({
  model: "gpt-4.1-mini",
  messages: [
    { role: "system", content: "You audit decisions." },
    { role: "user", content: prompt },
  ],
  logprobs: true,
  top_logprobs: 20,
});
let next = 0;
let read = 0;
async function loop() {
  while (next++ < requests) {
    const answer = await request(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      dispatcher: agent,
    });
    const parsed = JSON.parse(await answer.body.text());
    read += parsed.choices[0].logprobs.content.length;
  }
}
await Promise.all(Array.from({ length: width }, loop));
await agent.close();
console.log(read);
