import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { readBuilt } from "../io/package-file.js";

interface Asset {
  url: string;
  type: string;
  /** Compressed. */
  bytes: Buffer;
}

function asset(name: string, type: string): Asset {
  const text = readBuilt(name);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { url: `/assets/${hash}-${name}`, type, bytes: gzipSync(text) };
}

const shell = (script: Asset, style: Asset) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>defensible</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style.url}">
</head>
<body>
<div id="root"></div>
<noscript>The workbench needs JavaScript.</noscript>
<script type="module" src="${script.url}"></script>
</body>
</html>
`;

/**
 * The workbench: one page, one script and one style sheet, the same for everyone and without data. The policy of the server lets nothing else run. The
 * address of a file changes with its content, so browsers keep it.
 */
export function serveWorkbench(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } };
  let made: { script: Asset; style: Asset; html: Buffer } | null = null;
  const parts = () => {
    if (!made) {
      const [script, style] = [
        asset("live.js", "text/javascript; charset=utf-8"),
        asset("live.css", "text/css; charset=utf-8"),
      ];
      made = { script, style, html: gzipSync(shell(script, style)) };
    }
    return made;
  };
  app.get("/", hidden, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-encoding", "gzip").send(parts().html),
  );
  app.get("/assets/:name", hidden, async (request, reply) => {
    const { name } = request.params as { name: string };
    const found = [parts().script, parts().style].find(({ url }) => url === `/assets/${name}`);
    if (!found) return reply.callNotFound();
    return reply
      .type(found.type)
      .header("content-encoding", "gzip")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(found.bytes);
  });
}
