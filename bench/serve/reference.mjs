// A bare Fastify that reads the same bodies and answers with as many bytes and the same headers, and does nothing else.
import Fastify from "fastify";

const { headers, answer } = JSON.parse(process.env.ANSWER);
const app = Fastify();
app.post("/v1/route", async (request, reply) => {
  reply.headers(headers);
  return { ...answer, decision_id: request.body.id, community: request.body.community };
});
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`Listening on http://127.0.0.1:${app.server.address().port}`);
