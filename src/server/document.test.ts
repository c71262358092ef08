import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientTypes, type OpenApi } from "../../scripts/client-types.mjs";
import { GraphileQueue } from "../queue/graphile-queue.js";
import { Database } from "../store/postgres/database.js";
import { vaultOf } from "../store/postgres/secrets.js";
import { buildApp, ENDPOINTS } from "./app.js";
import { Service } from "./service.js";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCUMENT = join(ROOT, "docs", "openapi.json");
const TYPES = join(ROOT, "src", "server", "client", "api.ts");

/** No statement is sent. */
async function made(): Promise<OpenApi & { openapi: string }> {
  const database = new Database("postgres://nowhere");
  const app = await buildApp(
    new Service({ database, queue: new GraphileQueue(database), vault: vaultOf("a secret for tests") }),
  );
  const { body } = await app.inject({ url: "/openapi.json" });
  await app.close();
  return JSON.parse(body);
}

describe("the OpenAPI document", () => {
  it("is the committed one, and the client's types are made from it", async () => {
    const document = await made();
    const text = `${JSON.stringify(document, null, 1)}\n`;
    const types = clientTypes(document);
    if (process.env.OPENAPI === "write") {
      writeFileSync(DOCUMENT, text);
      writeFileSync(TYPES, types);
    }
    const how = "write both with `OPENAPI=write npx vitest run src/server/document.test.ts`";
    expect(readFileSync(DOCUMENT, "utf8") === text, how).toBe(true);
    expect(readFileSync(TYPES, "utf8") === types, how).toBe(true);
  });

  it("has its endpoints in docs/serve.md", async () => {
    const page = readFileSync(join(ROOT, "docs", "serve.md"), "utf8");
    const rows = Object.entries((await made()).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { summary, description }]) =>
          `| \`${method.toUpperCase()} ${path}\` | ${summary} | \`${description.replace("Scope: ", "")}\` |`,
      ),
    );
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  it("is OpenAPI 3.1 and describes every endpoint with its answer and its problems", async () => {
    const { openapi, paths } = await made();
    expect(openapi).toBe("3.1.0");
    for (const { method, url, status = 200, also = {} } of ENDPOINTS) {
      const operation = paths[url.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {}), url).toEqual([
        ...[String(status), ...Object.keys(also)].sort(),
        "default",
      ]);
    }
    expect(Object.values(paths).flatMap((one) => Object.keys(one))).toHaveLength(ENDPOINTS.length);
  });
});
